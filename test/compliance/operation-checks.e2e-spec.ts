import { describe, expect, it } from '@jest/globals';
import { SOC2 } from '../../config/soc2.js';
import { heartbeatMinutes } from '../../migrations/0055-heartbeat-minutes.js';
import { beat } from '../../src/compliance/evidence/heartbeats.queries.js';
import { Clock } from '../../src/platform/clock.js';
import { newId } from '../../src/platform/ids.js';
import { sweepNext } from '../../src/retention/sweep.js';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { createPastRun, createSeries } from '../support/history.js';
import { ManualClock } from '../support/time/manual-clock.js';
import { CheckedInstallation, daysAgo } from './checked-installation.js';
import { withTexts } from './published-texts.js';

const { policy, agreements } = SOC2;

describe('a check of how the installation is operated', () => {
  const given = CheckedInstallation.forTests();

  it('retention_enforced: finds a retention job that has stopped', async () => {
    expect(await given.look('retention_enforced')).toMatchObject({ status: 'not_applicable' });
    await given.sql('UPDATE organizations SET retention_months = 1');
    await createPastRun(given.service.database, given.tenant, { finishedAt: daysAgo(90), status: 'failed' });
    await given.expectFailure('retention_enforced', /^0 of 1 organization .*; 1 row kept longer/);
    while (await sweepNext(given.service.database, new Clock()));
    await given.expectPass('retention_enforced', /^1 of 1 organization .*; 0 rows kept longer/);
    const stopped = new Date(Date.now() + (policy.sweep_hours + 1) * 3_600_000);
    await given.expectFailure('retention_enforced', /^0 of 1 organization/, { now: stopped });
  });

  it('retention_enforced: tolerates a retention that was set or shortened since the last sweep', async () => {
    const owner = await createMember(given.service.database, given.tenant.organizationId, 'owner');
    const keep = (months: number) =>
      new AppClient(given.service.url, owner.token).patch(`/orgs/${given.tenant.organizationId}`, {
        retention_months: months,
      });
    const inDays = (days: number) => ({ now: daysAgo(-days) });
    await createPastRun(given.service.database, given.tenant, { finishedAt: daysAgo(90), status: 'failed' });
    expect((await keep(12)).status).toBe(200);
    expect(await given.look('retention_enforced')).toMatchObject({ status: 'not_applicable' });
    await given.expectFailure('retention_enforced', /^0 of 1 organization/, inDays(2));

    while (await sweepNext(given.service.database, new ManualClock(daysAgo(-1))));
    await keep(1);
    expect(await given.look('retention_enforced', inDays(1))).toMatchObject({ status: 'not_applicable' });
    await given.expectFailure('retention_enforced', /; 1 row kept longer/, inDays(2));
  });

  it('retention_enforced: tolerates what only the next sweep can delete, since a newer run has taken its place', async () => {
    await given.sql('UPDATE organizations SET retention_months = 1');
    const { tenant } = given;
    const { database } = given.service;
    await createPastRun(database, tenant, { finishedAt: daysAgo(90) });
    const [series, former] = [await createSeries(database, tenant), daysAgo(90)];
    const month = 12 * new Date().getUTCFullYear() + new Date().getUTCMonth() - 1;
    const ids = [tenant.organizationId, tenant.workspaceId, series];
    await given.sql(`INSERT INTO series_trends VALUES ($1, $2, $3, 'stable', 'stable', $4)`, ...ids, month - 12);
    await given.sql(
      `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at)
       VALUES ($4, $1, $2, $3, 'spike', 'low', 'x', 1, $5::timestamptz::date, $4, $5)`,
      ...ids,
      newId(),
      former,
    );
    while (await sweepNext(database, new Clock()));
    await given.expectPass('retention_enforced', /; 0 rows kept longer/);
    await given.sql('UPDATE series_trends SET month = $1', month);
    await createPastRun(database, tenant, { finishedAt: daysAgo(0.01), status: 'failed' });
    await given.expectFailure('retention_enforced', /; 1 row kept longer/); // no run since has found the month
    await createPastRun(database, tenant, { finishedAt: daysAgo(0.01) });
    await given.expectPass('retention_enforced', /; 0 rows kept longer/);
    const unswept = { now: daysAgo(-2) };
    await given.expectFailure('retention_enforced', /; 2 rows kept longer/, unswept);
    while (await sweepNext(database, new ManualClock(daysAgo(-1.5))));
    await given.expectPass('retention_enforced', /; 0 rows kept longer/, unswept);
  });

  it('retention_enforced: finds alerts that a sweep has left, also where runs complete every day', async () => {
    await given.sql('UPDATE organizations SET retention_months = 1');
    const { tenant } = given;
    const { database } = given.service;
    while (await sweepNext(database, new Clock()));
    const series = await createSeries(database, tenant);
    const reported = daysAgo(90);
    const month = 12 * reported.getUTCFullYear() + reported.getUTCMonth() + 2;
    await given.sql(
      `INSERT INTO series_trends VALUES ($1, $2, $3, 'stable', 'stable', $4)`,
      tenant.organizationId,
      tenant.workspaceId,
      series,
      month,
    );
    await given.sql(
      `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at)
       VALUES ($4, $1, $2, $3, 'spike', 'low', 'x', 1, $5::timestamptz::date, $4, $5)`,
      tenant.organizationId,
      tenant.workspaceId,
      series,
      newId(),
      reported,
    );
    for (const days of [3, 0.01])
      await createPastRun(database, tenant, { finishedAt: daysAgo(days), seriesIds: [series] });
    // as long as the earlier run did not know a later month of the series
    await given.expectPass('retention_enforced', /; 0 rows kept longer/);
    await given.sql('UPDATE forecasts SET first_month = $1', month + 1);
    await given.expectFailure('retention_enforced', /; 1 row kept longer/);
  });

  it.each(['2026-08-30T19:00Z', '2026-08-31T23:58Z', '2026-09-01T12:00Z'])(
    'retention_enforced: passes at the end of a longer month too, at %s',
    async (now) => {
      await given.sql(`UPDATE organizations SET retention_months = 6, retention_set_at = '2026-01-01'`);
      for (const hour of ['05', '12', '20'])
        await createPastRun(given.service.database, given.tenant, {
          finishedAt: new Date(`2026-02-28T${hour}:00Z`),
          status: 'failed',
        });
      const swept = new Date(`${now.slice(0, 10)}T06:30Z`);
      while (await sweepNext(given.service.database, new ManualClock(swept)));
      await given.expectPass('retention_enforced', /; 0 rows kept longer/, { now: new Date(now) });
    },
  );

  it('deletions_done: finds an organization that outlives its deletion date', async () => {
    await given.expectPass('deletions_done', /^0 organizations scheduled for deletion/);
    await given.sql(`UPDATE organizations SET delete_after = now() - interval '1 hour'`);
    await given.expectPass('deletions_done', /^1 organization scheduled for deletion/);
    await given.sql(`UPDATE organizations SET delete_after = $1`, daysAgo(2));
    await given.expectFailure('deletions_done', /; 1 should have been deleted/);
  });

  it('agreements_accepted: finds an organization that has not accepted all current versions', async () => {
    const accept = (agreement: string, version: string) =>
      given.sql(
        `INSERT INTO agreement_acceptances VALUES ($1, $2, $3, now(), $1, 'ada@example.com')`,
        given.tenant.organizationId,
        agreement,
        version,
      );
    await accept('data_processing_agreement', agreements.data_processing_agreement.version);
    await accept('privacy_notice', '1999-01-01');
    await given.expectFailure('agreements_accepted', /^0 of 1 organization/);
    await accept('privacy_notice', agreements.privacy_notice.version);
    // all have accepted, but of what nobody can tell
    await given.expectFailure(
      'agreements_accepted',
      /^1 of 1 organization .* not published the text of: Data processing agreement, version/,
    );
    await withTexts('https://example.com/terms', () => given.expectPass('agreements_accepted', /^1 of 1 organization/));
  });

  it('agreements_accepted: skips the demo organization', async () => {
    await given.sql(`UPDATE organizations SET is_demo = true, name = 'Demo'`);
    expect(await given.look('agreements_accepted')).toMatchObject({ status: 'not_applicable' });
    // of itself it is told as any other
    await given.expectFailure('agreements_accepted', /^Not every agreement/, {
      organizationId: given.tenant.organizationId,
    });
  });

  it('agreements_accepted: includes the demo organization once it is renamed, since it is then in real use', async () => {
    await given.sql(`UPDATE organizations SET is_demo = true, name = 'Acme'`);
    await given.expectFailure('agreements_accepted', /^0 of 1 organization/);
  });

  it('tls_public_url: finds an address without TLS, or none', async () => {
    await given.expectPass('tls_public_url', /https:\/\/forecasts\.example\.com/);
    const settings = { ...given.service.settings, PUBLIC_URL: 'http://forecasts.example.com' };
    await given.expectFailure('tls_public_url', /http:\/\/forecasts/, { settings });
    await given.expectFailure('tls_public_url', /is not set/, { settings: { ...settings, PUBLIC_URL: undefined } });
  });

  describe('uptime', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    const daysBefore = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
    const beats = async (hours: number, everyMinutes = 1) => {
      for (let minute = 60 * hours; minute > 0; minute -= everyMinutes) {
        await beat(given.service.database, new Date(now.getTime() - minute * 60_000));
        await beat(given.service.database, new Date(now.getTime() - minute * 60_000 + 30_000)); // another process, or the next beat
      }
    };
    const stop = (from: string, until: string) =>
      given.sql(`DELETE FROM compliance_heartbeats WHERE slot >= $1 AND slot < $2`, new Date(from), new Date(until));

    it('counts gaps as downtime, and fails if observed too briefly', async () => {
      await given.expectFailure('uptime', /No uptime has been recorded/);
      await beats(3);
      await given.expectFailure('uptime', /^Ready in 180 of 180 .*monitored for 3\.0 hours/, { now });
      await beats(30);
      await given.expectPass('uptime', /^Ready in 1,800 of 1,800 minutes \(100%\)/, { now });
      await stop('2026-11-21T06:01:00Z', '2026-11-21T06:10:00Z');
      await given.expectPass('uptime', /^Ready in 1,791 of 1,800 minutes \(99\.5%\)/, { now });
      await stop('2026-11-21T07:00:00Z', '2026-11-21T07:01:00Z');
      await given.expectFailure('uptime', /^Ready in 1,790 of 1,800 minutes \(99\.44%\)/, { now });
    });

    it('looks back no further than its window', async () => {
      const days = policy.uptime_days;
      await given.sql(
        `INSERT INTO compliance_heartbeats SELECT generate_series($1, $2, interval '1 minute')`,
        ...[daysBefore(days), new Date(now.getTime() - 60_000)],
      );
      await beat(given.service.database, daysBefore(days + 100));
      const minutes = (days * 1_440).toLocaleString('en-US');
      await given.expectPass('uptime', new RegExp(`^Ready in ${minutes} of ${minutes} minutes \\(100%\\)`), { now });
    });

    it('counts one minute in five as a fifth', async () => {
      await beats(30, 5);
      await given.expectFailure('uptime', /^Ready in 360 of 1,800 minutes \(20%\)/, { now });
    });

    it('counts an old five-minute heartbeat as five minutes', async () => {
      for (let slot = 12 * 30; slot > 0; slot -= 1) {
        await beat(given.service.database, new Date(now.getTime() - slot * 300_000));
      }
      const migration = new heartbeatMinutes.class(null as never, null as never);
      migration.up();
      for (const statement of migration.getQueries()) await given.sql(statement as string);
      await given.expectPass('uptime', /^Ready in 1,800 of 1,800 minutes \(100%\)/, { now });
    });
  });

  it('work_not_stuck: finds a run that nobody finishes', async () => {
    await given.expectPass('work_not_stuck', /^0 runs, imports and syncs in progress/);
    await createPastRun(given.service.database, given.tenant, { status: 'running', finishedAt: null });
    await given.expectPass('work_not_stuck', /^1 run, import or sync in progress; 0 for more than 24 hours/);
    await given.sql('UPDATE runs SET created_at = $1', daysAgo(2));
    await given.expectFailure('work_not_stuck', /^1 run, import or sync in progress; 1 for more than 24 hours/);
  });

  it('work_not_stuck: finds an import that nobody finishes', async () => {
    const { organizationId, workspaceId } = given.tenant;
    await given.sql(
      `INSERT INTO imports (id, organization_id, workspace_id, state, origin, format, created_at)
       VALUES ($3, $1, $2, 'processing', 'api', 'csv', $4)`,
      ...[organizationId, workspaceId, newId(), daysAgo(2)],
    );
    await given.expectFailure('work_not_stuck', /^1 run, import or sync in progress; 1 for more than 24 hours/);
  });

  it('work_not_stuck: ignores what has ended', async () => {
    for (const status of ['completed', 'failed', 'canceled'])
      await createPastRun(given.service.database, given.tenant, { status, finishedAt: daysAgo(2) });
    await given.sql(
      `INSERT INTO imports (id, organization_id, workspace_id, state, origin, format, created_at, finished_at)
       VALUES ($3, $1, $2, 'completed', 'api', 'csv', $4, $4)`,
      ...[given.tenant.organizationId, given.tenant.workspaceId, newId(), daysAgo(2)],
    );
    await given.expectPass('work_not_stuck', /^0 runs, imports and syncs in progress/);
  });

  /** Adds a sync that began two days ago and has been due since. */
  async function addOldSync(): Promise<void> {
    const { organizationId, workspaceId } = given.tenant;
    await given.sql(
      `WITH connector AS (
         INSERT INTO connectors (id, organization_id, workspace_id, platform, name, account, settings, sealed, time_zone, counts_from,
           interval_minutes, created_at, updated_at)
         VALUES ($3, $1, $2, 'shopify', 'Shop', 'shop', '{}', '', 'UTC', '2026-01-01', 60, now(), now()))
       INSERT INTO connector_syncs (id, organization_id, workspace_id, connector_id, status, trigger, wake_at, created_at)
       VALUES ($4, $1, $2, $3, 'queued', 'schedule', $5, $5)`,
      ...[organizationId, workspaceId, newId(), newId(), daysAgo(2)],
    );
  }

  it.each([
    ['waits as its platform asked', `now() + interval '1 minute'`],
    ['reads on', `now() - interval '1 minute'`],
  ])('work_not_stuck: ignores an old sync that %s', async (_, wakeAt) => {
    await addOldSync();
    await given.sql(`UPDATE connector_syncs SET status = 'running', wake_at = ${wakeAt}`);
    await given.expectPass('work_not_stuck', /^1 run, import or sync in progress; 0 for more than 24 hours/);
    await given.sql(`UPDATE connector_syncs SET wake_at = now() - interval '25 hours'`);
    await given.expectFailure('work_not_stuck', /^1 run, import or sync in progress; 1 for more than 24 hours/);
  });

  it('work_not_stuck: ignores a sync paused with its organization', async () => {
    const { organizationId } = given.tenant;
    await addOldSync();
    const organization = (set: string) => given.sql(`UPDATE organizations SET ${set} WHERE id = $1`, organizationId);
    await given.expectFailure('work_not_stuck', /^1 run, import or sync in progress; 1 for more than 24 hours/);
    await organization('suspended_at = now()');
    await given.expectPass('work_not_stuck', /^0 runs, imports and syncs in progress/);
    await organization(`suspended_at = NULL, delete_after = now() + interval '30 days'`);
    await given.expectPass('work_not_stuck', /^0 runs, imports and syncs in progress/);
    await given.sql(`UPDATE connector_syncs SET trigger = 'manual'`);
    await given.expectFailure('work_not_stuck', /; 1 for more than 24 hours/);
    await given.sql(`UPDATE connector_syncs SET status = 'completed', finished_at = now()`);
    await given.expectPass('work_not_stuck', /^0 runs, imports and syncs in progress/);
  });

  it.each([
    ['backup_recent', 'backup', policy.backup_days],
    ['restore_drill', 'restore_drill', policy.restore_drill_days],
    ['dependency_scan', 'dependency_scan', policy.dependency_scan_days],
    ['incident_review', 'incident_review', policy.incident_review_days],
    ['vendor_review', 'vendor_review', policy.vendor_review_days],
    ['operator_access_reviewed', 'access_review', policy.access_review_days],
  ] as const)('%s: passes only with a recent successful entry', async (check, kind, days) => {
    await given.attest(kind === 'backup' ? 'restore_drill' : 'backup', daysAgo(0));
    await given.expectFailure(check, /^No .* is on record/);
    await given.attest(kind, daysAgo(days + 1));
    await given.expectFailure(check, new RegExp(`and passed \\(must be no older than ${days} days\\)`));
    await given.attest(kind, daysAgo(days - 1));
    await given.expectPass(check, /by a test and passed/);
    await given.attest(kind, daysAgo(days), { outcome: 'failed' }); // an earlier act, recorded later
    await given.expectPass(check, /by a test and passed/);
    await given.attest(kind, daysAgo(0), { outcome: 'failed' });
    await given.expectFailure(check, /and failed/);
  });

  it.each([
    ['dependency_scan', 'dependency_scan', '2024-03-04T02:00Z', '2024-03-11T18:00Z'],
    ['incident_review', 'incident_review', '2024-07-01T09:00Z', '2024-10-01T18:00Z'],
    ['operator_access_reviewed', 'access_review', '2024-07-01T09:00Z', '2024-10-01T18:00Z'],
    ['restore_drill', 'restore_drill', '2024-03-01T09:00Z', '2024-09-01T18:00Z'],
    ['vendor_review', 'vendor_review', '2023-03-01T09:00Z', '2024-03-01T18:00Z'], // 366 days
  ] as const)('%s: passes throughout the day on which the next one is due', async (check, kind, performed, now) => {
    await given.attest(kind, new Date(performed));
    await given.expectPass(check, /and passed/, { now: new Date(now) });
  });

  it('release_ci: requires a good test result for the latest release', async () => {
    const release = (version: string, day: string) =>
      given.sql(
        `INSERT INTO releases (id, version, released_on, title, notes, kind, created_at, updated_at)
         VALUES ($1, $2, $3, 'T', 'N', 'added', now(), now())`,
        newId(),
        version,
        day,
      );
    await given.sql('DELETE FROM releases');
    await given.expectFailure('release_ci', /No release/);
    await release('7.0.0', '2026-10-01');
    await given.attest('release_ci', daysAgo(1), { reference: '6.9.0' });
    await given.expectFailure('release_ci', /7\.0\.0/);
    await given.attest('release_ci', daysAgo(40), { reference: '7.0.0' });
    await given.expectPass('release_ci', /of the latest release 7\.0\.0/);
    await release('7.1.0', '2026-11-01');
    await given.expectFailure('release_ci', /No test result of the latest release 7\.1\.0/);
    await given.attest('release_ci', daysAgo(2), { reference: '7.1.0', outcome: 'failed' });
    await given.expectFailure('release_ci', /and failed/);
    await given.attest('release_ci', daysAgo(1), { reference: '7.1.0' });
    await given.expectPass('release_ci');
    const tomorrow = daysAgo(-1);
    await release('7.2.0', tomorrow.toISOString().slice(0, 10)); // announced ahead
    await given.expectPass('release_ci', /of the latest release 7\.1\.0/);
    await given.expectFailure('release_ci', /7\.2\.0/, { now: tomorrow });
  });
});
