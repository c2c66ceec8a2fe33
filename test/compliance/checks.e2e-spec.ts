import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { SOC2, type CheckName } from '../../config/soc2.js';
import { heartbeatMinutes } from '../../migrations/0055-heartbeat-minutes.js';
import { recordAudit } from '../../src/access/index.js';
import { recordAttestation } from '../../src/compliance/attestations/record-attestation.js';
import type { AttestationKind } from '../../src/compliance/attestations/attestation.js';
import type { CheckContext, Finding } from '../../src/compliance/checks/check.js';
import { CHECKS } from '../../src/compliance/checks/index.js';
import { HASH_COLUMNS, SEALED_COLUMNS } from '../../src/compliance/checks/secrets.queries.js';
import { InstallationSource } from '../../src/compliance/evidence/installation-source.js';
import { beat } from '../../src/compliance/evidence/heartbeats.queries.js';
import { Clock } from '../../src/platform/clock.js';
import { Database } from '../../src/platform/database/database.js';
import { asSystem } from '../../src/platform/database/scope.js';
import { newId } from '../../src/platform/ids.js';
import { sweepNext } from '../../src/retention/sweep.js';
import { createMember, createSession, createTenant, createUser } from '../support/builders.js';
import { createPastRun, type Tenant } from '../support/history.js';
import { startTestService, type TestService } from '../support/test-service.js';

const DAY_MS = 86_400_000;
const { policy, agreements } = SOC2;

describe('a check of the installation', () => {
  let service: TestService;
  let tenant: Tenant & { organizationKey: string };
  /** Undoes what a test did to the structure of the database or to files. */
  const undo: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    service = await startTestService({ role: 'api', environment: { PUBLIC_URL: 'https://forecasts.example.com' } });
  });
  beforeEach(async () => {
    await service.database.execute('DELETE FROM organizations');
    await service.database.execute('DELETE FROM users');
    await service.database.execute('DELETE FROM compliance_attestations');
    await service.database.execute('DELETE FROM compliance_heartbeats');
    tenant = await createTenant(service);
  });
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  afterAll(() => service.close());

  const sql = (text: string, ...values: unknown[]) => service.database.query<Record<string, unknown>>(text, values);
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const look = (name: CheckName, changed: Partial<CheckContext> = {}): Promise<Finding> =>
    asSystem('test', () =>
      CHECKS[name]({
        ...service.app.get(InstallationSource).get(),
        db: service.app.get(Database),
        now: new Date(),
        ...changed,
      }),
    );
  const expectPass = async (name: CheckName, detail: RegExp | string = /./, changed: Partial<CheckContext> = {}) =>
    expect(await look(name, changed)).toEqual({ status: 'passed', detail: expect.stringMatching(detail) });
  const expectFailure = async (name: CheckName, detail: RegExp | string, changed: Partial<CheckContext> = {}) =>
    expect(await look(name, changed)).toEqual({ status: 'failed', detail: expect.stringMatching(detail) });
  const attest = (kind: AttestationKind, performed_at: Date, more: { outcome?: 'failed'; reference?: string } = {}) =>
    service.database.transaction((tx) =>
      recordAttestation(
        tx,
        {
          kind,
          performed_at,
          performed_by: 'a test',
          outcome: 'passed',
          reference: null,
          note: null,
          artefact_sha256: null,
          ...more,
        },
        { kind: 'system', id: null, name: 'test', address: null },
        new Date(),
      ),
    );

  it('second_factor_operators: every operator has one', async () => {
    expect(await look('second_factor_operators')).toMatchObject({ status: 'not_applicable' });
    await createUser(service.database, { isOperator: true });
    await expectPass('second_factor_operators', /^1 of 1 operator \(100 %\)/);
    await createUser(service.database, { isOperator: true, secondFactor: false });
    await expectFailure('second_factor_operators', /^1 of 2 operators \(50 %\)/);
  });

  it('second_factor_admins: every admin and owner has one, viewers need none', async () => {
    const { id } = await createMember(service.database, tenant.organizationId, 'owner');
    await createMember(service.database, tenant.organizationId, 'viewer');
    await expectFailure('second_factor_admins', /^0 of 1 administrator or owner/);
    await sql('UPDATE users SET totp_confirmed_at = now() WHERE id = $1', id);
    await expectPass('second_factor_admins', /^1 of 1/);
    await sql('UPDATE users SET totp_confirmed_at = NULL WHERE id = $1', id);
    await sql('UPDATE organizations SET suspended_at = now()');
    expect(await look('second_factor_admins')).toMatchObject({ status: 'not_applicable' });
  });

  it('access_reviewed: nobody has been a member for long without a review', async () => {
    await createMember(service.database, tenant.organizationId, 'member');
    await expectPass('access_reviewed', /^1 of 1 membership /);
    await sql('UPDATE memberships SET created_at = $1', daysAgo(policy.access_review_days + 1));
    await expectFailure('access_reviewed', /1 are overdue/);
    await sql('UPDATE memberships SET reviewed_at = $1', daysAgo(policy.access_review_days - 1));
    await expectPass('access_reviewed');
    await sql('UPDATE memberships SET reviewed_at = $1', daysAgo(policy.access_review_days + 1));
    await expectFailure('access_reviewed', /1 are overdue/);
  });

  it('leavers_removed: sessions and keys of people who are gone are found', async () => {
    const member = await createMember(service.database, tenant.organizationId, 'admin');
    await sql('UPDATE api_keys SET created_by = $1', member.id);
    await createSession(service.database, (await createUser(service.database, { isOperator: true })).id);
    await expectPass('leavers_removed');
    await sql('DELETE FROM memberships');
    await expectFailure('leavers_removed', /^1 open session .* 2 live API keys/);
    await sql('UPDATE sessions SET revoked_at = now()');
    await sql('UPDATE api_keys SET revoked_at = now()');
    await expectPass('leavers_removed');
  });

  it('sessions_end: a session that lasts for ever is found, and an old one that was never cleaned up', async () => {
    await createSession(service.database, (await createUser(service.database)).id);
    await expectPass('sessions_end', /^1 open session; 0 last longer than 14 days/);
    await sql(`UPDATE sessions SET expires_at = now() + interval '400 days'`);
    await expectFailure('sessions_end', /; 1 last longer/);
    await sql(`UPDATE sessions SET expires_at = $1`, daysAgo(32));
    await expectFailure('sessions_end', /; 1 ended more than/);
  });

  it('credentials_hashed: a key, a session or a password in plain text is found', async () => {
    await createSession(service.database, (await createUser(service.database)).id);
    await expectPass('credentials_hashed', /^1 of 1 password are argon2id/);
    await sql(`UPDATE api_keys SET hash = convert_to('fk_plain' || id, 'UTF8')`);
    await sql(`UPDATE sessions SET token_hash = convert_to('fs_plain_token_of_someone', 'UTF8')`);
    await expectFailure('credentials_hashed', /not as hashes: 2 in api_keys.hash, 1 in sessions.token_hash/);
    await sql('DELETE FROM api_keys');
    await sql('DELETE FROM sessions');
    await sql(`UPDATE users SET password_hash = 'correct horse'`);
    await expectFailure('credentials_hashed', /^0 of 1 password/);
    await sql(`UPDATE users SET password_hash = '5f4dcc3b5aa765d61d8327deb882cf99'`);
    await expectFailure('credentials_hashed', /^0 of 1 password/);
  });

  it('api_keys_rotated: an aged key is found, and one that was replaced without an end', async () => {
    await expectPass('api_keys_rotated', /^2 live API keys; 0 older/);
    await sql('UPDATE api_keys SET created_at = $1', daysAgo(policy.api_key_age_days + 1));
    await expectFailure('api_keys_rotated', /; 2 older than 365 days/);
    await sql('UPDATE api_keys SET created_at = now(), successor_id = id');
    await expectFailure('api_keys_rotated', /; 2 replaced but without an end/);
    await sql('UPDATE api_keys SET revoked_at = now()');
    expect(await look('api_keys_rotated')).toMatchObject({ status: 'not_applicable' });
  });

  it('api_keys_allowlisted: keys that may come from anywhere are found', async () => {
    await expectFailure('api_keys_allowlisted', /^0 of 2/);
    await sql(`UPDATE api_keys SET ip_allowlist = '{192.0.2.0/24}' WHERE workspace_id IS NOT NULL`);
    await expectFailure('api_keys_allowlisted', /^1 of 2 live API keys \(50 %\)/);
    await sql(`UPDATE organizations SET ip_allowlist = '{192.0.2.0/24}'`);
    await expectPass('api_keys_allowlisted', /^2 of 2/);
  });

  it('sealed_secrets: what does not open under the key in use is named', async () => {
    const user = await createUser(service.database, { secondFactor: true });
    await expectPass('sealed_secrets', /^1 of 1 stored secret /);
    const secrets = { ...service.secrets, encryptionKey: Buffer.alloc(32, 7) };
    await expectFailure('sealed_secrets', new RegExp(`^0 of 1 .* Do not: users ${user.id}\\.`), { secrets });
    const other = await createUser(service.database);
    await sql(
      'UPDATE users SET totp_secret = (SELECT totp_secret FROM users WHERE id = $1) WHERE id = $2',
      user.id,
      other.id,
    );
    await expectFailure('sealed_secrets', new RegExp(`^1 of 2 .* Do not: users ${other.id}\\.`)); // sealed for somebody else
  });

  it('sealed_secrets looks at more than a batch', async () => {
    const { id } = await createUser(service.database, { secondFactor: true });
    await sql(
      `INSERT INTO users (id, email, name, password_hash, password_changed_at, created_at, totp_secret)
       SELECT gen_random_uuid(), n || '@example.com', 'x', 'x', now(), now(), totp_secret
       FROM users, generate_series(1, 1200) n WHERE id = $1`,
      id,
    );
    await expectFailure('sealed_secrets', /^1 of 1,201 .* and 1195 more\./);
  });

  it('knows what every column of bytes holds', async () => {
    const columns = await sql(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea' ORDER BY 1`,
    );
    const known = [...SEALED_COLUMNS, ...HASH_COLUMNS].map(({ table, column }) => `${table}.${column}`);
    const neither = [
      'audit_events.hash',
      'audit_events.previous_hash',
      'audit_heads.hash',
      'connector_deliveries.body',
      'forecasts.backtest',
      'forecasts.bands',
      'forecasts.history',
      'forecasts.mean',
      'forecasts.quantiles',
      'idempotency_keys.request_hash',
      'import_chunks.bytes',
      'secret_checks.digest',
      'sign_in_attempts.subject',
    ];
    expect(columns.map(({ name }) => name)).toEqual([...known, ...neither].sort());
  });

  it('secrets_private: keys that others may read are found', async () => {
    await expectPass('secrets_private', /readable by the service alone/);
    const file = join(service.settings.DATA_DIR, 'secrets', 'left-open');
    writeFileSync(file, 'x', { mode: 0o644 });
    chmodSync(file, 0o644);
    await expectFailure('secrets_private', /readable by others: left-open\.$/);
    chmodSync(file, 0o600);
    await expectPass('secrets_private');
    const settings = { ...service.settings, DATA_DIR: '/nowhere' };
    await expect(look('secrets_private', { settings })).rejects.toThrow('ENOENT');
  });

  it('audit_chain: a row changed by the owner of the tables is found, and named with its place', async () => {
    const entry = (target: string) =>
      service.database.transaction((tx) =>
        recordAudit(tx, {
          organizationId: tenant.organizationId,
          actor: { kind: 'system', id: null, name: 'test', address: null },
          action: 'thing.done',
          target: { kind: 'thing', id: target },
          occurredAt: new Date(),
        }),
      );
    for (const target of ['a', 'b', 'c']) await entry(target);
    await expectPass('audit_chain', /all are intact/);
    const tamper = async (change: string, ...values: unknown[]) => {
      const owner = new pg.Client({ connectionString: service.databaseUrl });
      await owner.connect();
      await owner.query('SET session_replication_role = replica');
      await owner.query(change, values);
      await owner.end();
    };
    await tamper(
      `UPDATE audit_events SET target_id = 'x' WHERE organization_id = $1 AND sequence = 2`,
      tenant.organizationId,
    );
    await expectFailure(
      'audit_chain',
      `broken: organization ${tenant.organizationId} at event 2 \\(the event was changed\\)`,
    );
    await tamper(
      `UPDATE audit_events SET target_id = 'b' WHERE organization_id = $1 AND sequence = 2`,
      tenant.organizationId,
    );
    await expectPass('audit_chain');
    await tamper('DELETE FROM audit_events WHERE organization_id = $1 AND sequence = 3', tenant.organizationId);
    await expectFailure('audit_chain', /at event 3 \(events are missing at the end\)/);
    await tamper('DELETE FROM audit_heads WHERE organization_id = $1', tenant.organizationId);
    await expectFailure('audit_chain', /at event 2 \(the last event is not the one that was written\)/);
    await tamper('DELETE FROM audit_events WHERE organization_id = $1', tenant.organizationId);
  });

  it('audit_chain is not misled by events that are written while it looks', async () => {
    const entry = () =>
      service.database.transaction((tx) =>
        recordAudit(tx, {
          organizationId: tenant.organizationId,
          actor: { kind: 'system', id: null, name: 'test', address: null },
          action: 'thing.done',
          target: { kind: 'thing', id: 'x' },
          occurredAt: new Date(),
        }),
      );
    await entry();
    const asked = service.app.get(Database);
    const db: CheckContext['db'] = {
      execute: (text, parameters) => asked.execute(text, parameters),
      query: async (text, parameters) => {
        const rows = await asked.query(text, parameters);
        if (typeof text === 'string' && text.includes('FROM audit_events')) await entry(); // after each batch of the chain
        return rows as never;
      },
    };
    await expectPass('audit_chain', /all are intact/, { db });
  });

  it('audit_activity: a log that has stopped growing is found', async () => {
    await attest('backup', new Date()); // writes into the platform's chain
    await expectPass('audit_activity', /1 chain grew within 24 hours|chains grew/);
    await expectFailure('audit_activity', /^The last event was written at/, { now: new Date(Date.now() + 2 * DAY_MS) });
  });

  it('row_level_security: a table without policies, and a role that owns tables, are found', async () => {
    await expectPass('row_level_security', /policies bind and owns 0 tables/);
    undo.push(() => sql('DROP TABLE unguarded'));
    await sql('CREATE TABLE unguarded (organization_id uuid)');
    await expectFailure('row_level_security', /; none on unguarded;/);
    await expectFailure('row_level_security', /which passes policies by and owns \d\d tables/, {
      db: service.database,
    });
    undo.push(() => sql('ALTER TABLE runs ENABLE ROW LEVEL SECURITY'));
    await sql('ALTER TABLE runs DISABLE ROW LEVEL SECURITY');
    await expectFailure('row_level_security', /; none on runs, unguarded;/);
  });

  it('migrations_applied: a migration that is missing and a column that nobody declared are found', async () => {
    await expectPass('migrations_applied', /the schema is what the release declares/);
    undo.push(() => sql('ALTER TABLE runs DROP COLUMN by_hand'));
    await sql('ALTER TABLE runs ADD COLUMN by_hand int');
    await expectFailure('migrations_applied', /the schema is not theirs: .*by_hand/);
    const { schema } = service.app.get(InstallationSource).get();
    const further = { ...schema.migrations[0]!, name: '9999-further' };
    const declared = { ...schema, migrations: [...schema.migrations, further] };
    await expectFailure('migrations_applied', /^Not applied: 9999-further/, { schema: declared });
  });

  it('retention_enforced: a retention job that has stopped is found', async () => {
    expect(await look('retention_enforced')).toMatchObject({ status: 'not_applicable' });
    await sql('UPDATE organizations SET retention_months = 1');
    await createPastRun(service.database, tenant, { finishedAt: daysAgo(90), status: 'failed' });
    await expectFailure('retention_enforced', /^0 of 1 organization .*; 1 row outlived/);
    while (await sweepNext(service.database, new Clock()));
    await expectPass('retention_enforced', /^1 of 1 organization .*; 0 rows outlived/);
    const stopped = new Date(Date.now() + (policy.sweep_hours + 1) * 3_600_000);
    await expectFailure('retention_enforced', /^0 of 1 organization/, { now: stopped });
  });

  it('deletions_done: an organization that outlives its deletion is found', async () => {
    await expectPass('deletions_done', /^0 organizations asked/);
    await sql(`UPDATE organizations SET delete_after = now() - interval '1 hour'`);
    await expectPass('deletions_done', /^1 organization asked/);
    await sql(`UPDATE organizations SET delete_after = $1`, daysAgo(2));
    await expectFailure('deletions_done', /; 1 should have been deleted/);
  });

  it('agreements_accepted: an organization that has not accepted all of them, in the version in force, is found', async () => {
    const accept = (agreement: string, version: string) =>
      sql(
        `INSERT INTO agreement_acceptances VALUES ($1, $2, $3, now(), $1, 'ada@example.com')`,
        tenant.organizationId,
        agreement,
        version,
      );
    await accept('data_processing_agreement', agreements.data_processing_agreement.version);
    await accept('privacy_notice', '1999-01-01');
    await expectFailure('agreements_accepted', /^0 of 1 organization/);
    await accept('privacy_notice', agreements.privacy_notice.version);
    await expectPass('agreements_accepted', /^1 of 1 organization/);
  });

  it('tls_public_url: an address without TLS, or none, is found', async () => {
    await expectPass('tls_public_url', /https:\/\/forecasts\.example\.com/);
    const settings = { ...service.settings, PUBLIC_URL: 'http://forecasts.example.com' };
    await expectFailure('tls_public_url', /http:\/\/forecasts/, { settings });
    await expectFailure('tls_public_url', /is not set/, { settings: { ...settings, PUBLIC_URL: undefined } });
  });

  describe('uptime', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    const beats = async (hours: number, everyMinutes = 1) => {
      for (let minute = 60 * hours; minute > 0; minute -= everyMinutes) {
        await beat(service.database, new Date(now.getTime() - minute * 60_000));
        await beat(service.database, new Date(now.getTime() - minute * 60_000 + 30_000)); // another process, or the next beat
      }
    };
    const stop = (from: string, until: string) =>
      sql(`DELETE FROM compliance_heartbeats WHERE slot >= $1 AND slot < $2`, new Date(from), new Date(until));

    it('gaps count as down, and too short a watch as none', async () => {
      await expectFailure('uptime', /Nothing has been watched/);
      await beats(3);
      await expectFailure('uptime', /^Ready in 180 of 180 .*watched for 3\.0 hours/, { now });
      await beats(30);
      await expectPass('uptime', /^Ready in 1,800 of 1,800 minutes \(100 %\)/, { now });
      await stop('2026-11-21T06:01:00Z', '2026-11-21T06:10:00Z');
      await expectPass('uptime', /^Ready in 1,791 of 1,800 minutes \(99\.5 %\)/, { now });
      await stop('2026-11-21T07:00:00Z', '2026-11-21T07:01:00Z');
      await expectFailure('uptime', /^Ready in 1,790 of 1,800 minutes \(99\.44 %\)/, { now });
    });

    it('one minute in five is a fifth', async () => {
      await beats(30, 5);
      await expectFailure('uptime', /^Ready in 360 of 1,800 minutes \(20 %\)/, { now });
    });

    it('a heartbeat kept before minutes were counted stands for its five', async () => {
      for (let slot = 12 * 30; slot > 0; slot -= 1) {
        await beat(service.database, new Date(now.getTime() - slot * 300_000));
      }
      const migration = new heartbeatMinutes.class(null as never, null as never);
      migration.up();
      for (const statement of migration.getQueries()) await sql(statement as string);
      await expectPass('uptime', /^Ready in 1,800 of 1,800 minutes \(100 %\)/, { now });
    });
  });

  it('work_not_stuck: a run nobody brings to an end is found', async () => {
    await expectPass('work_not_stuck', /^0 runs, imports and syncs at work/);
    await createPastRun(service.database, tenant, { status: 'running', finishedAt: null });
    await sql('UPDATE runs SET created_at = $1', daysAgo(2));
    await expectFailure('work_not_stuck', /^1 run, import or sync at work; 1 for more than 24 hours/);
  });

  it.each([
    ['backup_recent', 'backup', policy.backup_days],
    ['restore_drill', 'restore_drill', policy.restore_drill_days],
    ['dependency_scan', 'dependency_scan', policy.dependency_scan_days],
    ['incident_review', 'incident_review', policy.incident_review_days],
    ['vendor_review', 'vendor_review', policy.vendor_review_days],
    ['operator_access_reviewed', 'access_review', policy.access_review_days],
  ] as const)('%s: only a recent entry of a good outcome passes', async (check, kind, days) => {
    await expectFailure(check, /^No .* is on record/);
    await attest(kind, daysAgo(days + 1));
    await expectFailure(check, new RegExp(`and passed \\(${days} days are allowed\\)`));
    await attest(kind, daysAgo(days - 1));
    await expectPass(check, /by a test and passed/);
    await attest(kind, daysAgo(0), { outcome: 'failed' });
    await expectFailure(check, /and failed/);
  });

  it('release_ci: the latest release must have a good test result', async () => {
    const release = (version: string, day: string) =>
      sql(
        `INSERT INTO releases (id, version, released_on, title, notes, kind, created_at, updated_at)
         VALUES ($1, $2, $3, 'T', 'N', 'added', now(), now())`,
        newId(),
        version,
        day,
      );
    await sql('DELETE FROM releases');
    await expectFailure('release_ci', /No release/);
    await release('7.0.0', '2026-10-01');
    await attest('release_ci', daysAgo(40), { reference: '7.0.0' });
    await expectPass('release_ci', /of the latest release 7\.0\.0/);
    await release('7.1.0', '2026-11-01');
    await expectFailure('release_ci', /No test result of the latest release 7\.1\.0/);
    await attest('release_ci', daysAgo(2), { reference: '7.1.0', outcome: 'failed' });
    await expectFailure('release_ci', /and failed/);
    await attest('release_ci', daysAgo(1), { reference: '7.1.0' });
    await expectPass('release_ci');
  });
});
