import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PLATFORM_CHAIN, verifyAuditChain } from '../../src/access/index.js';
import { Clock } from '../../src/platform/clock.js';
import { newId } from '../../src/platform/ids.js';
import { RetentionJob } from '../../src/retention/retention-job.js';
import { EXPIRING } from '../../src/retention/kinds.js';
import { previewSweeps, sweepNext } from '../../src/retention/sweep.js';
import { AppClient } from '../support/app-client.js';
import { createApiKey, createMember, createOrganization, createTenant } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { createPastRun, createSeries, type Tenant } from '../support/history.js';
import { ManualClock } from '../support/time/manual-clock.js';
import { stopIntervals } from '../support/time/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';

const DAY_MS = 86_400_000;

describe('retention', () => {
  let service: TestService;
  let tenant: Tenant;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' }); // no worker takes up the runs that are left running
    await stopIntervals(service); // nor does the service sweep by itself
  });
  beforeEach(async () => {
    await service.database.execute('DELETE FROM organizations');
    tenant = await createTenant(service);
  });
  afterAll(() => service.close());

  const sql = (text: string, ...values: unknown[]) => service.database.query<Record<string, unknown>>(text, values);
  const monthsAgo = (months: number) => new Date(Date.now() - months * 31 * DAY_MS);
  const keep = (months: number | null) =>
    sql('UPDATE organizations SET retention_months = $2 WHERE id = $1', tenant.organizationId, months);
  const idsOf = async (table: string) =>
    (await sql(`SELECT id FROM ${table} WHERE organization_id = $1`, tenant.organizationId)).map((row) => row['id']);
  const eventsOf = (organizationId: string, action: string) =>
    sql('SELECT * FROM audit_events WHERE organization_id = $1 AND action = $2', organizationId, action);
  const sweep = (now = new Date()) => sweepNext(service.database, new ManualClock(now));

  it('deletes runs with their forecasts past the retention of the organization', async () => {
    await keep(3);
    const seriesIds = [await createSeries(service.database, tenant), await createSeries(service.database, tenant)];
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(4), seriesIds });
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(5), status: 'failed' });
    const kept = await createPastRun(service.database, tenant, { finishedAt: monthsAgo(2), seriesIds });
    expect((await sweep())?.deleted).toEqual({ runs: 2, forecasts: 2 });
    expect(await idsOf('runs')).toEqual([kept]);
    expect(await sql('SELECT DISTINCT run_id FROM forecasts')).toEqual([{ run_id: kept }]);
    expect(await sql('SELECT count(*)::int AS days FROM demand')).toEqual([{ days: 2 }]);
  });

  it('keeps unfinished runs and the last completed run of every workspace, however old', async () => {
    await keep(1);
    const other = { ...tenant, workspaceId: (await createTenant(service)).workspaceId };
    await sql('UPDATE workspaces SET organization_id = $1 WHERE id = $2', tenant.organizationId, other.workspaceId);
    const running = await createPastRun(service.database, tenant, { status: 'running', finishedAt: null });
    await sql('UPDATE runs SET created_at = $1', monthsAgo(30));
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(21) });
    const last = await createPastRun(service.database, tenant, { finishedAt: monthsAgo(20) });
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(10), status: 'canceled' });
    const elsewhere = await createPastRun(service.database, other, { finishedAt: monthsAgo(40) });
    await sweep();
    expect((await idsOf('runs')).sort()).toEqual([running, last, elsewhere].sort());
  });

  it('keeps the last completed run of all series, however many partial or past ones followed', async () => {
    await keep(1);
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(21) });
    const latest = await createPastRun(service.database, tenant, { finishedAt: monthsAgo(20) });
    for (const config of [{ series: { category: 'Care' } }, { cutoff: '2024-01-01' }])
      await createPastRun(service.database, tenant, { finishedAt: monthsAgo(10), config });
    await sweep();
    expect(await idsOf('runs')).toEqual([latest]);
  });

  it.each([
    [1, '2026-03-28', '2026-02-28T12:00:00Z'],
    [1, '2026-03-29', '2026-03-01T00:00:00Z'],
    [1, '2026-03-31', '2026-03-01T00:00:00Z'],
    [1, '2026-04-01', '2026-03-01T12:00:00Z'],
    [1, '2028-03-31', '2028-03-01T00:00:00Z'],
    [6, '2026-08-29', '2026-03-01T00:00:00Z'],
    [12, '2028-02-29', '2027-03-01T00:00:00Z'],
    [24, '2028-01-01', '2026-01-01T12:00:00Z'],
  ])('counts %i calendar months back from %s', async (months, today, oldest) => {
    await keep(months);
    const make = (at: number) =>
      createPastRun(service.database, tenant, { status: 'failed', finishedAt: new Date(at) });
    await make(Date.parse(oldest) - 1_000);
    const kept = await make(Date.parse(oldest));
    await sweep(new Date(`${today}T12:00:00Z`));
    expect(await idsOf('runs')).toEqual([kept]);
  });

  describe('of the syncs of a connector', () => {
    const connectorId = newId();
    beforeEach(async () => {
      await keep(6);
      await sql(
        `INSERT INTO connectors (id, organization_id, workspace_id, platform, name, account, settings, sealed, time_zone, counts_from,
           interval_minutes, last_synced_at, created_at, updated_at)
         VALUES ($3, $1, $2, 'odoo', 'x', 'x', '{}', '', 'UTC', '2026-01-01', 15, $4, now(), now())`,
        ...[tenant.organizationId, tenant.workspaceId, connectorId, monthsAgo(7)],
      );
    });

    async function add(finishedAt: Date | null): Promise<string> {
      const id = newId();
      await sql(
        `INSERT INTO connector_syncs (id, organization_id, workspace_id, connector_id, status, trigger, wake_at, created_at, finished_at)
         VALUES ($4, $1, $2, $3, $5, 'manual', 'infinity', $6, $7)`,
        ...[tenant.organizationId, tenant.workspaceId, connectorId, id],
        ...[finishedAt ? 'completed' : 'queued', monthsAgo(8), finishedAt],
      );
      return id;
    }

    it('deletes those that ended before, and neither newer nor open ones', async () => {
      await add(monthsAgo(7));
      const kept = [await add(monthsAgo(5)), await add(null)];
      expect((await sweep())?.deleted).toEqual({ connector_syncs: 1 });
      expect((await idsOf('connector_syncs')).sort()).toEqual(kept.sort());
    });

    it('deletes the newest too, after which the connector still tells when one last completed', async () => {
      await add(monthsAgo(7));
      const { token } = await createMember(service.database, tenant.organizationId, 'viewer');
      const member = new AppClient(service.url, token);
      const shown = async () => (await member.get(`/workspaces/${tenant.workspaceId}/connectors/${connectorId}`)).body;
      expect(await shown()).toMatchObject({ last_sync: { status: 'completed' } });
      await sweep();
      expect(await shown()).toMatchObject({ last_sync: null, last_synced_at: expect.any(String) });
    });
  });

  it('deletes old alerts, trend changes, imports and ended overrides, and nothing newer', async () => {
    await keep(6);
    const series = await createSeries(service.database, tenant);
    const ids = [tenant.organizationId, tenant.workspaceId, series];
    const month = 12 * new Date().getUTCFullYear() + new Date().getUTCMonth() - 1;
    await sql(`INSERT INTO series_trends VALUES ($1, $2, $3, 'stable', 'stable', $4)`, ...ids, month);
    const rows = async (at: Date) => {
      const at_ = at.toISOString();
      await sql(
        `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at)
         VALUES ($4, $1, $2, $3, 'spike', 'info', 'x', 1, $5::timestamptz::date, $4, $5)`,
        ...ids,
        newId(),
        at_,
      );
      await sql(
        `INSERT INTO trend_changes (id, organization_id, workspace_id, series_id, previous_label, label, run_id, changed_at)
         VALUES ($4, $1, $2, $3, 'stable', 'growth', $4, $5)`,
        ...ids,
        newId(),
        at_,
      );
      await sql(
        `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at, ended_at)
         VALUES ($4, $1, $2, $3, '2026-01-01', 'absolute', 1, 'x', 'x', $5, $5)`,
        ...ids,
        newId(),
        at_,
      );
      await sql(
        `INSERT INTO imports (id, organization_id, workspace_id, state, origin, format, created_at, finished_at)
         VALUES ($3, $1, $2, 'completed', 'api', 'csv', $4, $4)`,
        ids[0],
        ids[1],
        newId(),
        at_,
      );
    };
    await rows(monthsAgo(7));
    await rows(monthsAgo(2));
    await sql(`UPDATE overrides SET ended_at = NULL WHERE ended_at > $1`, monthsAgo(3));
    expect((await sweep())?.deleted).toEqual({ alerts: 1, trend_changes: 1, imports: 1, overrides: 1 });
    for (const table of ['alerts', 'trend_changes', 'imports', 'overrides'])
      expect([table, (await idsOf(table)).length]).toEqual([table, 1]);
  });

  it.each([
    ['in February', '2024-02-03T00:00:00Z'],
    ['when it is February there but January in UTC', '2024-01-31T10:00:00Z'], // Kiritimati, UTC+14
  ])('keeps an old alert of January, created %s, that the next run would otherwise repeat', async (_, createdAt) => {
    await keep(1);
    const series = await createSeries(service.database, tenant);
    const ids = [tenant.organizationId, tenant.workspaceId, series];
    await sql(`INSERT INTO series_trends VALUES ($1, $2, $3, 'stable', 'stable', $4)`, ...ids, 12 * 2024);
    await sql(
      `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at)
       VALUES ($4, $1, $2, $3, 'spike', 'info', 'x', 1, '2024-01-01', $4, $5)`,
      ...ids,
      newId(),
      createdAt,
    );
    const other = [tenant.organizationId, tenant.workspaceId, await createSeries(service.database, tenant)];
    await sql(`INSERT INTO series_trends VALUES ($1, $2, $3, 'stable', 'stable', $4)`, ...other, 12 * 2024 + 1);
    await sweep();
    expect(await idsOf('alerts')).toHaveLength(1);
    await sql('UPDATE series_trends SET month = $1', 12 * 2024 + 1); // the month in which January was judged has come in
    await sweep(new Date(Date.now() + DAY_MS));
    expect(await idsOf('alerts')).toEqual([]);
  });

  it.each([
    ['has ended', 12 * 2024],
    ['another has replaced', null],
  ])('deletes an old alert of a series that %s, once runs no longer look back as far', async (_, trendMonth) => {
    await keep(1);
    const series = await createSeries(service.database, tenant);
    const ids = [tenant.organizationId, tenant.workspaceId, series];
    if (trendMonth !== null)
      await sql(`INSERT INTO series_trends VALUES ($1, $2, $3, 'stable', 'stable', $4)`, ...ids, trendMonth);
    await sql(
      `INSERT INTO alerts (id, organization_id, workspace_id, series_id, kind, severity, message, change_percent, period, run_id, created_at)
       VALUES ($4, $1, $2, $3, 'level_shift_up', 'info', 'x', 1, '2024-01-01', $4, '2024-02-03')`,
      ...ids,
      newId(),
    );
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(0) });
    await sql('UPDATE runs SET last_month = $1', 12 * 2025);
    await sweep();
    expect(await idsOf('alerts')).toHaveLength(1);
    await sql('UPDATE runs SET last_month = $1', 12 * 2025 + 1);
    expect(await previewSweeps(service.database, new Date())).toMatchObject([{ deleted: { alerts: 1 } }]);
    await sweep(new Date(Date.now() + DAY_MS));
    expect(await idsOf('alerts')).toEqual([]);
  });

  it('counts an override as ended when it was withdrawn or expired, whichever came first', async () => {
    await keep(6);
    const series = await createSeries(service.database, tenant);
    const make = async (endedAt: Date | null, expiresAt: Date | null): Promise<string> => {
      const id = newId();
      await sql(
        `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at, ended_at, expires_at)
         VALUES ($4, $1, $2, $3, '2026-01-01', 'absolute', 1, 'x', 'x', $5, $6, $7)`,
        ...[tenant.organizationId, tenant.workspaceId, series, id, monthsAgo(9), endedAt, expiresAt],
      );
      return id;
    };
    await make(monthsAgo(7), monthsAgo(-7));
    await make(monthsAgo(2), monthsAgo(8));
    await make(null, monthsAgo(7));
    const kept = [await make(monthsAgo(2), monthsAgo(-7)), await make(null, monthsAgo(2))];
    await sweep();
    expect((await idsOf('overrides')).sort()).toEqual(kept.sort());
  });

  it('leaves organizations without a limit untouched', async () => {
    await keep(null);
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(100), status: 'failed' });
    expect(await sweep()).toBeUndefined();
    expect(await idsOf('runs')).toHaveLength(1);
  });

  it('runs once, in bounded batches, across processes, with one audit log event', async () => {
    await keep(1);
    const series = [await createSeries(service.database, tenant)];
    for (let index = 0; index < 45; index += 1)
      // more than two batches of runs
      await createPastRun(service.database, tenant, { finishedAt: monthsAgo(3), status: 'failed', seriesIds: series });
    expect(EXPIRING.find((kind) => kind.table === 'runs')!.batch).toBeLessThan(23);
    const reports = await Promise.all(Array.from({ length: 8 }, () => sweep()));
    expect(reports.filter((report) => report !== undefined)).toHaveLength(1);
    const [event, ...more] = await eventsOf(tenant.organizationId, 'retention.applied');
    expect(more).toEqual([]);
    expect(event).toMatchObject({ actor_kind: 'system', details: { deleted: { runs: 45, forecasts: 45 } } });
    expect(await verifyAuditChain(service.database, tenant.organizationId)).toMatchObject({ intact: true });
    expect(await sweep()).toBeUndefined(); // not due again before tomorrow
    expect((await sweep(new Date(Date.now() + DAY_MS)))?.deleted).toEqual({});
    expect(await eventsOf(tenant.organizationId, 'retention.applied')).toHaveLength(1);
  });

  it('resumes where it stopped, and reports the whole', async () => {
    await keep(1);
    const series = [await createSeries(service.database, tenant)];
    for (let index = 0; index < 30; index += 1)
      await createPastRun(service.database, tenant, { finishedAt: monthsAgo(3), status: 'failed', seriesIds: series });
    let asked = 0;
    const stopped = await sweepNext(service.database, new Clock(), () => (asked += 1) > 1);
    expect(stopped).toBeUndefined();
    expect(await idsOf('runs')).toHaveLength(10);
    expect(await sweep()).toBeUndefined(); // the lease of the one that stopped
    const later = await sweep(new Date(Date.now() + 11 * 60_000));
    expect(later?.deleted).toEqual({ runs: 30, forecasts: 30 });
    expect(await sql('SELECT count(*)::int AS left FROM forecasts')).toEqual([{ left: 0 }]);
  });

  it('deletes the forecasts of one batch of runs before the next, and takes no step for a run without any', async () => {
    await keep(1);
    for (let index = 0; index < 45; index += 1)
      await createPastRun(service.database, tenant, { finishedAt: monthsAgo(3), status: 'failed' });
    const { database } = service;
    const pending: number[] = [];
    const watched = Object.assign(Object.create(database) as typeof database, {
      transaction: async (work: Parameters<typeof database.transaction>[0]) => {
        const result = await database.transaction(work);
        const [row] = await sql('SELECT cardinality(pending_runs) AS runs FROM retention_sweeps');
        pending.push(row!['runs'] as number);
        return result;
      },
    });
    expect(await sweepNext(watched, new Clock())).toMatchObject({ deleted: { runs: 45 } });
    expect(Math.max(...pending)).toBe(EXPIRING.find((kind) => kind.table === 'runs')!.batch);
    expect(pending.length).toBeLessThan(20);
  });

  it('waits for a workspace deletion, which deletes the same rows in another order', async () => {
    await keep(1);
    const seriesIds = [];
    for (let count = 0; count < 3; count += 1) seriesIds.push(await createSeries(service.database, tenant));
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(3), status: 'failed', seriesIds });
    let asked = 0;
    await sweepNext(service.database, new Clock(), () => (asked += 1) > 1); // the run is gone, its forecasts are not
    // whichever way the sweep goes, it has deleted one of them when it comes upon that in the middle
    const middle = [tenant.workspaceId, seriesIds[1]];
    await using removal = await holdRows(
      service.database,
      `SELECT FROM workspaces JOIN forecasts ON forecasts.workspace_id = workspaces.id
        WHERE workspaces.id = $1 AND series_id = $2 FOR UPDATE`,
      middle,
    );
    const swept = sweep(new Date(Date.now() + 11 * 60_000));
    await removal.untilAwaitedBy(1);
    await removal.release((tx) => tx.execute('DELETE FROM workspaces WHERE id = $1', [tenant.workspaceId]));
    expect(await swept).toMatchObject({ deleted: { runs: 1 } });
    expect(await sql('SELECT FROM forecasts')).toEqual([]);
  });

  it('uses current settings: correcting a mistaken retention saves what is not yet deleted', async () => {
    await keep(1);
    const series = [await createSeries(service.database, tenant)];
    for (let index = 0; index < 30; index += 1)
      await createPastRun(service.database, tenant, { finishedAt: monthsAgo(3), status: 'failed', seriesIds: series });
    let asked = 0;
    await sweepNext(service.database, new Clock(), () => (asked += 1) > 1); // dies after the first batch of runs
    await keep(null);
    const later = await sweep(new Date(Date.now() + 11 * 60_000));
    expect(later?.deleted).toEqual({ runs: 20, forecasts: 20 }); // what had begun is brought to its end, and told
    expect(await idsOf('runs')).toHaveLength(10);
    expect(await sql('SELECT count(*)::int AS left FROM forecasts')).toEqual([{ left: 10 }]);
  });

  it('deletes nothing more of an organization whose deletion is canceled meanwhile, and reports no end of it', async () => {
    await createPastRun(service.database, tenant, {
      finishedAt: monthsAgo(3),
      seriesIds: [await createSeries(service.database, tenant)],
    });
    await sql(`UPDATE organizations SET delete_after = now() - interval '1 hour' WHERE id = $1`, tenant.organizationId);
    const { database } = service;
    let takenBack: Promise<unknown> | undefined;
    const meanwhile = Object.assign(Object.create(database) as typeof database, {
      transaction: async (work: Parameters<typeof database.transaction>[0]) => {
        await (takenBack ??= sql('UPDATE organizations SET delete_after = NULL WHERE id = $1', tenant.organizationId));
        return database.transaction(work);
      },
    });
    const report = await sweepNext(meanwhile, new Clock());
    expect(report).toMatchObject({ organization_id: tenant.organizationId, organization_deleted: false, deleted: {} });
    for (const table of ['runs', 'forecasts', 'series', 'workspaces']) {
      expect([table, await sql(`SELECT FROM ${table} WHERE organization_id = $1`, tenant.organizationId)]).toEqual([
        table,
        [{}],
      ]);
    }
  });

  it('previews what it would delete, and then deletes exactly that', async () => {
    await keep(2);
    const seriesIds = [await createSeries(service.database, tenant)];
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(4), seriesIds });
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(3), seriesIds });
    const now = new Date();
    const [preview] = await previewSweeps(service.database, now);
    expect(preview?.deleted).toEqual({ runs: 1, forecasts: 1 });
    expect(await idsOf('runs')).toHaveLength(2);
    expect(await sweep(now)).toEqual(preview);
  });

  it('continues with the next organization when one cannot be swept', async () => {
    const others = [tenant, await createTenant(service), await createTenant(service)];
    for (const one of others) {
      await sql('UPDATE organizations SET retention_months = 3 WHERE id = $1', one.organizationId);
      await createPastRun(service.database, one, { finishedAt: monthsAgo(5), status: 'failed' });
    }
    await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'it is to stay'; END $$`);
    await sql(
      `CREATE TRIGGER refuse BEFORE DELETE ON runs FOR EACH ROW WHEN (OLD.organization_id = '${tenant.organizationId}') EXECUTE FUNCTION refuse()`,
    );
    try {
      await service.app.get(RetentionJob).sweepDue();
      expect(await sql('SELECT organization_id FROM runs')).toEqual([{ organization_id: tenant.organizationId }]);
    } finally {
      await sql('DROP FUNCTION refuse CASCADE');
    }
  });

  it('deletes an organization and all its data after the grace period, and keeps its audit log', async () => {
    const owner = await createMember(service.database, tenant.organizationId, 'owner');
    const client = new AppClient(service.url, owner.token);
    const seriesIds = [await createSeries(service.database, tenant)];
    await createPastRun(service.database, tenant, { finishedAt: monthsAgo(1), seriesIds });
    await createPastRun(service.database, tenant, { status: 'running', finishedAt: null });
    expect((await client.delete(`/orgs/${tenant.organizationId}`)).status).toBe(202);
    await service.app.get(RetentionJob).sweepDue();
    expect(await idsOf('runs')).toHaveLength(2);

    await sql(
      `UPDATE organizations SET delete_after = now() - interval '1 minute' WHERE id = $1`,
      tenant.organizationId,
    );
    expect((await client.post(`/orgs/${tenant.organizationId}/restore`)).status).toBe(404);
    await service.app.get(RetentionJob).sweepDue();
    const tables = await sql(
      `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE column_name = 'organization_id' AND table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(15);
    for (const { name } of tables) {
      const left = await sql(`SELECT 1 FROM ${String(name)} WHERE organization_id = $1`, tenant.organizationId);
      expect([name, left.length > 0]).toEqual([name, String(name).startsWith('audit_')]);
    }
    expect(await sql('SELECT id FROM organizations WHERE id = $1', tenant.organizationId)).toEqual([]);
    expect(await verifyAuditChain(service.database, tenant.organizationId)).toMatchObject({ intact: true, events: 1 });
    const events = await eventsOf(PLATFORM_CHAIN, 'organization.deleted');
    expect(events.map((event) => event['target_id'])).toContain(tenant.organizationId);
    expect(events.at(-1)).toMatchObject({ details: { deleted: { runs: 2, forecasts: 1, series: 1 } } });
  });

  it('refunds unclaimed runs of an organization that it deletes, even if it stops midway', async () => {
    const { organizationId } = tenant;
    await sql(
      'INSERT INTO usage_counters (organization_id, month, used, overage) VALUES ($1, $2, 25, 1)',
      organizationId,
      '2026-01-01',
    );
    const runs = [];
    for (let count = 0; count < 25; count += 1)
      // more than a batch
      runs.push(await createPastRun(service.database, tenant, { status: 'queued', finishedAt: null }));
    runs.push(await createPastRun(service.database, tenant, { status: 'running', finishedAt: null }));
    await sql('UPDATE runs SET created_at = $1', new Date('2026-01-31T23:59:59.999Z'));
    await sql(`UPDATE runs SET billed = 'overage' WHERE id = $1`, runs[0]);
    await sql(
      `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at) VALUES ($1, $2, $3, now(), now())`,
      ...[newId(), organizationId, `run_overage:${runs[0]}`],
    );
    await sql(`UPDATE organizations SET delete_after = now() - interval '1 minute' WHERE id = $1`, organizationId);
    let asked = 0;
    await sweepNext(service.database, new Clock(), () => (asked += 1) > 1);
    expect(await idsOf('runs')).toHaveLength(6);
    expect(await sql('SELECT used, overage FROM usage_counters')).toEqual([{ used: 1, overage: 0 }]);
    expect(await sql('SELECT status FROM meter_events')).toEqual([{ status: 'canceled' }]);
    const later = await sweep(new Date(Date.now() + 11 * 60_000));
    expect(later).toMatchObject({ organization_deleted: true, deleted: { runs: 26 } });
  });

  describe('for an organization with unbilled runs', () => {
    const due = new Date('2026-11-01T00:00:00Z');
    const hoursLater = (hours: number) => sweep(new Date(due.getTime() + hours * 3_600_000));
    const runId = newId();
    beforeEach(async () => {
      const { organizationId } = tenant;
      await sql(
        `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at) VALUES ($1, $2, $3, $4, $4)`,
        ...[newId(), organizationId, `run_overage:${runId}`, '2026-10-31T12:00:00Z'],
      );
      await sql('UPDATE organizations SET delete_after = $2 WHERE id = $1', organizationId, due);
    });
    const deletionDetails = async () =>
      (await eventsOf(PLATFORM_CHAIN, 'organization.deleted')).find(
        (event) => event['target_id'] === tenant.organizationId,
      )?.['details'];

    it('waits until the metering service has accepted them', async () => {
      expect(await hoursLater(1)).toMatchObject({ organization_deleted: false });
      await sql(`UPDATE meter_events SET status = 'delivered'`);
      expect(await hoursLater(2)).toMatchObject({ organization_deleted: true });
      expect(await deletionDetails()).not.toHaveProperty('unreported_runs');
    });

    it('waits a day at most, and reports runs that were never billed', async () => {
      expect(await hoursLater(23)).toMatchObject({ organization_deleted: false });
      expect(await hoursLater(24)).toMatchObject({ organization_deleted: true });
      expect(await deletionDetails()).toMatchObject({
        unreported_runs: [{ run_id: runId, occurred_at: '2026-10-31T12:00:00.000Z', status: 'pending' }],
      });
    });

    it('reports their number, and lists a thousand at most', async () => {
      await sql(
        `INSERT INTO meter_events (id, organization_id, identifier, occurred_at, next_attempt_at)
         SELECT gen_random_uuid(), $1, 'run_overage:' || gen_random_uuid(), timestamptz '2026-11-01' + n * interval '1 s', now()
         FROM generate_series(1, 1200) n`,
        tenant.organizationId,
      );
      expect(await hoursLater(24)).toMatchObject({ organization_deleted: true });
      const { unreported_count, unreported_runs } = (await deletionDetails()) as Record<string, object[]>;
      expect([unreported_count, unreported_runs!.length]).toEqual([1_201, 1_000]);
      expect(unreported_runs![0]).toMatchObject({ run_id: runId });
    });

    it('does not wait for those given up as too old, and reports them', async () => {
      await sql(`UPDATE meter_events SET status = 'expired'`);
      expect(await hoursLater(1)).toMatchObject({ organization_deleted: true });
      expect(await deletionDetails()).toMatchObject({ unreported_runs: [{ run_id: runId, status: 'expired' }] });
    });
  });

  it('locks keys by id, and before workspaces, like a workspace deletion', async () => {
    const { organizationId, workspaceId } = tenant;
    const { token } = await createMember(service.database, organizationId, 'owner');
    await createApiKey(service, organizationId, { workspaceId });
    const [last, ...others] = (await sql('SELECT id FROM api_keys ORDER BY id DESC')).map(({ id }) => String(id));
    // the row stored last has the lowest id: locking in storage order would lock the others before it
    const first = '00000000-0000-7000-8000-000000000001';
    await sql('UPDATE api_keys SET id = $1 WHERE id = $2', first, last);
    await sql(`UPDATE organizations SET delete_after = now() + interval '1 day' WHERE id = $1`, organizationId);
    await using held = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [first]);
    const swept = sweep(new Date(Date.now() + 2 * DAY_MS));
    await held.untilAwaitedBy(1);
    const free = [...others.map((id) => ['api_keys', id] as const), ['workspaces', workspaceId] as const];
    for (const [table, id] of free) await sql(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE NOWAIT`, id);
    const removed = new AppClient(service.url, token).delete(`/orgs/${organizationId}/workspaces/${workspaceId}`);
    await held.untilAwaitedBy(2);
    await held.release();
    expect(await swept).toMatchObject({ organization_deleted: true });
    expect((await removed).status).toBe(404);
  });

  it('deletes an organization past its grace period without waiting for the next daily sweep', async () => {
    await keep(12);
    await sweep();
    expect(await sweep()).toBeUndefined();
    await sql(`UPDATE organizations SET delete_after = now() - interval '1 hour' WHERE id = $1`, tenant.organizationId);
    expect(await sweep()).toMatchObject({ organization_id: tenant.organizationId, organization_deleted: true });
  });

  it('reports a past date according to the settings in force then', async () => {
    await keep(2);
    await sql('UPDATE organizations SET retention_set_at = $1', new Date(Date.now() - DAY_MS));
    expect(await previewSweeps(service.database, new Date(Date.now() - 2 * DAY_MS))).toEqual([]);
    expect(await previewSweeps(service.database, new Date())).toHaveLength(1);
  });

  it('sweeps a due organization first although others are not due', async () => {
    await keep(1);
    await sweep();
    const { id } = await createOrganization(service.database);
    await sql('UPDATE organizations SET retention_months = 12 WHERE id = $1', id);
    expect((await sweep())?.organization_id).toBe(id);
  });
});
