import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { loadSettings } from '../../config/settings.js';
import { migrations } from '../../migrations/index.js';
import { checkSecrets } from '../../src/platform/crypto/check-secrets.js';
import type { SchemaSource } from '../../src/platform/database/setup/orm-options.js';
import { MIGRATION_LOCK, prepareDatabase, schemaDrift } from '../../src/platform/database/setup/prepare-database.js';
import { SCHEMA } from '../../src/schema.js';
import { openDatabase } from '../../src/start/open-database.js';
import { copyTestDatabase, createTestDatabase, type TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';

/** The release as it was before the migrations that hold tables of stored data. */
const BEFORE = migrations.findIndex(({ name }) => name === '0091-run-last-month');
const OLDER: SchemaSource = { ...SCHEMA, migrations: migrations.slice(0, BEFORE) };

class Faulty extends Migration {
  override up(): void {
    this.addSql('CREATE TABLE half_way (id int)');
    this.addSql('SELECT 1 / 0');
  }
}

describe('migrating an older database', () => {
  let older: TestDatabase;
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    older = await createTestDatabase('empty');
    await prepareDatabase(OLDER, older.url);
  });
  afterAll(() => older.drop());
  beforeEach(async () => {
    database = await copyTestDatabase(older);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const applied = async (): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id');
    return rows.map(({ name }) => name);
  };
  const names = (source: SchemaSource): string[] => source.migrations.map(({ name }) => name);

  it('resumes after an interrupted start, with what was applied by then', async () => {
    const [first, second] = migrations.slice(BEFORE);
    const interrupted = [...OLDER.migrations, first!, { name: second!.name, class: Faulty }];
    await expect(prepareDatabase({ ...SCHEMA, migrations: interrupted }, database.url)).rejects.toThrow('division');
    expect(await applied()).toEqual([...names(OLDER), first!.name]);
    await prepareDatabase(SCHEMA, database.url);
    expect(await applied()).toEqual(names(SCHEMA));
    expect(await schemaDrift(SCHEMA, database.url)).toBe('');
  });

  it('logs what it applies, before and after, and nothing when nothing is pending', async () => {
    const lines: unknown[][] = [];
    const logger = { info: (...line: unknown[]) => void lines.push(line) };
    await prepareDatabase(SCHEMA, database.url, logger);
    const pending = names(SCHEMA).slice(BEFORE);
    expect(lines).toEqual([
      [{ migrations: pending }, 'migrating the database'],
      [{ migrations: pending.length, ms: expect.any(Number) }, 'database migrated'],
    ]);
    await prepareDatabase(SCHEMA, database.url, logger);
    expect(lines).toHaveLength(2);
  });

  it('logs whom it waits for while another process migrates', async () => {
    const lines: unknown[][] = [];
    const logger = { info: (...line: unknown[]) => void lines.push(line) };
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const [own] = (await client.query<{ backend: number }>('SELECT pg_backend_pid() AS backend')).rows;
    const prepared = prepareDatabase(SCHEMA, database.url, logger);
    await eventually('it waits', () => Promise.resolve(lines[0]));
    expect(lines).toEqual([
      [
        { ...own, address: '127.0.0.1', since: expect.any(Date) },
        'waiting for another process that is starting or migrating the database',
      ],
    ]);
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await prepared;
    expect(await applied()).toEqual(names(SCHEMA));
  });

  it('leaves the database to the earlier release when the secrets differ from those it was filled with', async () => {
    const secrets = { apiKeyPepper: 'p'.repeat(32), encryptionKey: Buffer.alloc(32), databasePassword: '' };
    const settings = loadSettings({ DATABASE_URL: database.url });
    await checkSecrets(database.url, secrets);
    await expect(openDatabase(settings, { ...secrets, encryptionKey: Buffer.alloc(32, 1) })).rejects.toThrow(
      'ENCRYPTION_KEY: not the one',
    );
    expect(await applied()).toEqual(names(OLDER));
    await (await openDatabase(settings, secrets)).release();
    expect(await applied()).toEqual(names(SCHEMA));
  });

  it('leaves the queue to it as well when only the queue’s migrations are pending', async () => {
    const secrets = { apiKeyPepper: 'p'.repeat(32), encryptionKey: Buffer.alloc(32), databasePassword: '' };
    const settings = loadSettings({ DATABASE_URL: database.url });
    await (await openDatabase(settings, secrets)).release();
    await client.query('DROP SCHEMA bullmq CASCADE');
    await expect(openDatabase(settings, { ...secrets, apiKeyPepper: 'q'.repeat(32) })).rejects.toThrow(
      'API_KEY_PEPPER',
    );
    const { rows } = await client.query(`SELECT FROM pg_namespace WHERE nspname = 'bullmq'`);
    expect(rows).toHaveLength(0);
  });

  it('keeps the record of migrations that have been split since', async () => {
    const secrets = { apiKeyPepper: 'p'.repeat(32), encryptionKey: Buffer.alloc(32), databasePassword: '' };
    const settings = loadSettings({ DATABASE_URL: database.url });
    await (await openDatabase(settings, secrets)).release();
    const [former, parts] = Object.entries(SCHEMA.replaced)[0]!;
    await client.query('DELETE FROM schema_migrations WHERE name = ANY ($1)', [parts]);
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [former]);
    const recorded = await applied();
    await expect(openDatabase(settings, { ...secrets, apiKeyPepper: 'q'.repeat(32) })).rejects.toThrow(
      'API_KEY_PEPPER',
    );
    expect(await applied()).toEqual(recorded);
    await (await openDatabase(settings, secrets)).release();
    expect((await applied()).sort()).toEqual(names(SCHEMA));
  });

  it('waits for work that ends, and does not block reads of what it is not changing', async () => {
    await client.query('BEGIN');
    await client.query('SELECT FROM organizations');
    const migrated = prepareDatabase(SCHEMA, database.url);
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // longer than one attempt
    await client.query('SELECT FROM runs');
    await client.query('COMMIT');
    await migrated;
    expect(await applied()).toEqual(names(SCHEMA));
  });

  it('asks to stop whatever locks a table, and is completed by the next start', async () => {
    await client.query('BEGIN');
    await client.query('SELECT FROM runs');
    await expect(prepareDatabase(SCHEMA, database.url)).rejects.toThrow(
      /^the migration 0091-run-last-month cannot be applied because other connections are using the database; stop all/,
    );
    await client.query('COMMIT');
    await prepareDatabase(SCHEMA, database.url);
    expect(await applied()).toEqual(names(SCHEMA));
  });

  it('accepts what was applied under the names that migrations had before they were split', async () => {
    await prepareDatabase(SCHEMA, database.url);
    await client.query(`
      DELETE FROM schema_migrations WHERE name BETWEEN '0091' AND '0098';
      INSERT INTO schema_migrations (name) VALUES ('0091-large-workspaces'), ('0091-ended-syncs')`);
    await prepareDatabase(SCHEMA, database.url);
    expect((await applied()).sort()).toEqual(names(SCHEMA));
  });

  it('applies what rewritten migrations have gained since', async () => {
    const rewritten = migrations.findIndex(({ name }) => name === '0106-rewritten-migrations');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, rewritten) }, database.url);
    await client.query(`
      ALTER TABLE import_progress ADD CONSTRAINT import_progress_organization_id_foreign
        FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE;
      ALTER TABLE run_chunks DROP COLUMN turn_at;
      CREATE INDEX run_chunks_free ON run_chunks (position, wake_at) WHERE NOT done`);
    await prepareDatabase(SCHEMA, database.url);
    expect(await schemaDrift(SCHEMA, database.url)).toBe('');
    const { rows } = await client.query(`SELECT indexdef FROM pg_indexes WHERE indexname = 'run_chunks_free'`);
    expect(rows).toEqual([{ indexdef: expect.stringContaining('(turn_at) WHERE (NOT done)') }]);
  });

  it('dates a retention set before sweeps existed from the upgrade', async () => {
    const add = async (name: string, months: number | null): Promise<void> => {
      const columns = '(id, name, plan, retention_months, created_at)';
      await client.query(`INSERT INTO organizations ${columns} VALUES (gen_random_uuid(), $1, 'growth', $2, now())`, [
        name,
        months,
      ]);
    };
    await add('keeps all', null);
    await add('never swept', 12);
    await add('swept', 12);
    await client.query(`
      INSERT INTO retention_sweeps (organization_id, due_at) SELECT id, now() FROM organizations WHERE name = 'swept'`);
    await prepareDatabase(SCHEMA, database.url);
    const { rows } = await client.query('SELECT name FROM organizations WHERE retention_set_at IS NOT NULL');
    expect(rows).toEqual([{ name: 'never swept' }]);
  });

  it('removes e-mail addresses from the names shown in the forum', async () => {
    const before = migrations.findIndex(({ name }) => name === '0114-names-without-addresses');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, before) }, database.url);
    for (const [email, name] of [
      ['ada@example.com', 'Ada@Example.com'],
      ['bob@example.com', 'Bob'],
      ['eve@example.com', 'ada@example.com'],
    ]) {
      await client.query(
        `INSERT INTO users (id, email, name, password_hash, password_changed_at, created_at)
         VALUES (gen_random_uuid(), $1, $2, '', now(), now())`,
        [email, name],
      );
    }
    await prepareDatabase(SCHEMA, database.url);
    const { rows } = await client.query('SELECT name FROM users ORDER BY email');
    expect(rows).toEqual(['Ada', 'Bob', 'ada@example.com'].map((name) => ({ name })));
  });

  it('queues topics for moderation whose replies were hidden earlier', async () => {
    const before = migrations.findIndex(({ name }) => name === '0125-hidden-replies');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, before) }, database.url);
    for (const [title, hidden, flaggedAt] of [
      ['none hidden', false, null],
      ['one hidden', true, null],
      ['one hidden, and flagged since', true, '2026-11-22T00:00:00Z'],
    ]) {
      await client.query(
        `WITH topic AS (
           INSERT INTO community_topics (id, category, title, last_activity_at, created_at, flagged_at)
           VALUES (gen_random_uuid(), 'ideas', $1, now(), now(), $3) RETURNING id
         )
         INSERT INTO community_posts (id, topic_id, opening, body, search, hidden, created_at)
         SELECT gen_random_uuid(), id, false, '', '', $2, '2026-11-21T00:00:00Z' FROM topic`,
        [title, hidden, flaggedAt],
      );
    }
    await prepareDatabase(SCHEMA, database.url);
    const { rows } = await client.query('SELECT title, flagged_at FROM community_topics ORDER BY flagged_at');
    expect(rows).toEqual([
      { title: 'one hidden', flagged_at: new Date('2026-11-21T00:00:00Z') },
      { title: 'one hidden, and flagged since', flagged_at: new Date('2026-11-22T00:00:00Z') },
      { title: 'none hidden', flagged_at: null },
    ]);
  });

  it('lets search find accented words in posts typed in the other Unicode normalization form', async () => {
    const before = migrations.findIndex(({ name }) => name === '0134-accents-in-search');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, before) }, database.url);
    await client.query(
      `WITH topic AS (
         INSERT INTO community_topics (id, category, title, last_activity_at, created_at)
         VALUES (gen_random_uuid(), 'ideas', $1, now(), now()) RETURNING id
       ), post (opening, body, deleted_at) AS (
         VALUES (true, $2, NULL), (false, $3, NULL), (false, 'plain', NULL), (false, '', now())
       )
       INSERT INTO community_posts (id, topic_id, opening, body, search, created_at, deleted_at)
       SELECT gen_random_uuid(), topic.id, opening, body, 'stored', now(), deleted_at FROM topic, post`,
      ['The\u0301', 'two', 'cafe\u0301'],
    );
    await prepareDatabase(SCHEMA, database.url);
    const { rows } = await client.query('SELECT body, search FROM community_posts ORDER BY body');
    expect(rows).toEqual([
      { body: '', search: "'stored'" },
      { body: 'cafe\u0301', search: "'caf\u00e9':1" },
      { body: 'plain', search: "'stored'" },
      { body: 'two', search: "'th\u00e9':1 'two':2" },
    ]);
  });

  it('finds the creators of keys in the audit log, even those whose account was deleted', async () => {
    const before = migrations.findIndex(({ name }) => name === '0130-key-makers');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, before) }, database.url);
    await client.query(`
      INSERT INTO organizations (id, name, plan, created_at) VALUES (gen_random_uuid(), 'Acme', 'growth', now());
      INSERT INTO api_keys (id, organization_id, name, hash, prefix, last_four, created_at)
        SELECT gen_random_uuid(), o.id, made.name, convert_to(made.name, 'UTF8'), '', '', now()
        FROM organizations o, unnest('{by Ada,by rotation,by command line}'::text[]) AS made (name);
      INSERT INTO audit_events (organization_id, sequence, id, occurred_at, actor_kind, actor_id, actor_name, action,
          target_kind, target_id, details, previous_hash, hash)
        SELECT o.id, log.sequence, gen_random_uuid(), now(), log.kind, log.actor_id::uuid, log.actor, log.action, 'api_key',
          CASE WHEN log.action = 'api_key.created' THEN k.id ELSE gen_random_uuid() END,
          CASE WHEN log.action = 'api_key.created' THEN '{}' ELSE jsonb_build_object('successor_id', k.id) END, '', ''
        FROM organizations o, (VALUES
            (1, 'user', '00000000-0000-0000-0000-00000000000a', 'ada@example.com', 'api_key.created', 'by Ada'),
            (2, 'user', '00000000-0000-0000-0000-00000000000b', 'bob@example.com', 'api_key.rotated', 'by rotation'),
            (3, 'command_line', NULL, 'command line', 'api_key.created', 'by command line')
          ) AS log (sequence, kind, actor_id, actor, action, name) JOIN api_keys k USING (name)`);
    await prepareDatabase(SCHEMA, database.url);
    const { rows } = await client.query<{ name: string }>(
      'SELECT name, right(created_by::text, 1) AS by, created_by_email FROM api_keys',
    );
    expect(rows.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
      { name: 'by Ada', by: 'a', created_by_email: 'ada@example.com' },
      { name: 'by command line', by: null, created_by_email: null },
      { name: 'by rotation', by: 'b', created_by_email: 'bob@example.com' },
    ]);
  });

  it('trims stored names, categories and units, and the categories of schedules', async () => {
    const before = migrations.findIndex(({ name }) => name === '0141-texts-without-blanks');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, before) }, database.url);
    await client.query(`
      INSERT INTO organizations (id, name, plan, created_at) VALUES (gen_random_uuid(), 'Acme', 'growth', now());
      INSERT INTO workspaces (id, organization_id, name, created_at)
        SELECT gen_random_uuid(), id, site, now() FROM organizations, unnest('{one,two}'::text[]) AS site;
      INSERT INTO run_schedules (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, updated_at, updated_by)
        SELECT organization_id, id, 1, 1, 'UTC',
          CASE name WHEN 'one' THEN '{"horizon": 3, "series": {"category": " Tea "}}' ELSE '{"series": null}' END::jsonb, now(), now(), ''
        FROM workspaces;
      INSERT INTO series (id, organization_id, workspace_id, unique_id, product_name, category, unit, metadata, created_at, updated_at)
        SELECT gen_random_uuid(), organization_id, w.id, s.unique_id, s.product_name, s.category, s.unit, '{}', now(), now()
        FROM workspaces w, (VALUES ('A', E' Green tea\u00a0', E'\tTea', ' '), ('B', 'Green tea', 'Tea', NULL))
          AS s (unique_id, product_name, category, unit)
        WHERE w.name = 'one'`);
    await prepareDatabase(SCHEMA, database.url);
    const series = await client.query('SELECT product_name, category, unit FROM series');
    expect(series.rows).toEqual(Array(2).fill({ product_name: 'Green tea', category: 'Tea', unit: null }));
    const schedules = await client.query('SELECT config_overrides FROM run_schedules ORDER BY config_overrides::text');
    expect(schedules.rows.map((row: { config_overrides: unknown }) => row.config_overrides)).toEqual([
      { series: null },
      { horizon: 3, series: { category: 'Tea' } },
    ]);
  });

  it('lets a sync go on that an order has stopped, with none set aside', async () => {
    const before = migrations.findIndex(({ name }) => name === '0145-orders-set-aside');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, before) }, database.url);
    await client.query(`
      INSERT INTO organizations (id, name, plan, created_at) VALUES (gen_random_uuid(), 'Acme', 'growth', now());
      INSERT INTO workspaces (id, organization_id, name, created_at) SELECT gen_random_uuid(), id, 'one', now() FROM organizations;
      INSERT INTO connectors (id, organization_id, workspace_id, platform, name, account, settings, sealed, time_zone, counts_from, interval_minutes, created_at, updated_at)
        SELECT gen_random_uuid(), organization_id, id, 'woocommerce', 'Shop', 'shop', '{}', '', 'UTC', '2026-10-01', 60, now(), now() FROM workspaces;
      INSERT INTO connector_syncs (id, organization_id, workspace_id, connector_id, status, trigger, failures, wake_at, created_at)
        SELECT gen_random_uuid(), organization_id, workspace_id, id, 'running', 'schedule', 5, now(), now() FROM connectors`);
    await prepareDatabase(SCHEMA, database.url);
    const syncs = await client.query(`
      SELECT status, failures, orders_set_aside, (SELECT count(*)::int FROM connector_orders_set_aside) AS listed FROM connector_syncs`);
    expect(syncs.rows).toEqual([{ status: 'running', failures: 5, orders_set_aside: 0, listed: 0 }]);
  });

  it('counts the edits of series since the last run of a schedule, which were told by their time', async () => {
    const before = migrations.findIndex(({ name }) => name === '0150-series-edits-counted');
    await prepareDatabase({ ...SCHEMA, migrations: migrations.slice(0, before) }, database.url);
    await client.query(`
      INSERT INTO organizations (id, name, plan, created_at) VALUES (gen_random_uuid(), 'Acme', 'growth', now());
      INSERT INTO workspaces (id, organization_id, name, created_at)
        SELECT gen_random_uuid(), id, site, now() FROM organizations, unnest('{edited,untouched,unscheduled}'::text[]) AS site;
      INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at)
        SELECT gen_random_uuid(), organization_id, id, 'queued', 'schedule', '{}', 'quota', '2026-10-01' FROM workspaces;
      INSERT INTO run_schedules
          (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, last_run_id, updated_at, updated_by)
        SELECT runs.organization_id, workspace_id, 1, 1, 'UTC', '{}', now(), runs.id, now(), ''
        FROM runs JOIN workspaces ON workspaces.id = workspace_id WHERE name <> 'unscheduled';
      INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
        SELECT gen_random_uuid(), organization_id, id, unique_id, '2026-09-01',
          CASE name WHEN 'untouched' THEN '2026-09-01'::date ELSE '2026-10-02' END
        FROM workspaces, unnest('{A,B}'::text[]) AS unique_id`);
    await prepareDatabase(SCHEMA, database.url);
    const counted = await client.query('SELECT name FROM workspaces WHERE demand_version > 0');
    expect(counted.rows).toEqual([{ name: 'edited' }]);
  });

  it('uses each number once', () => {
    const numbers = migrations.map(({ name }) => Number(/^(\d{4})-[a-z-]+$/.exec(name)?.[1]));
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  });
});
