import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { runMigrations } from 'bullmq';
import type pg from 'pg';
import { codeOf, messageOf } from '../../faults.js';
import { connectWithRetries } from '../connections/connect.js';
import type { Logger } from '../../logging/logger.js';
import { isDeadlock, isLockTimeout } from '../database-faults.js';
import { keepsSessions } from '../connections/kept-sessions.js';
import { MIGRATIONS_TABLE, ormOptions, type SchemaSource } from './orm-options.js';
import { settle } from '../connections/session-settings.js';

/** A database that this release must not touch; the message is one line for the operator. */
export class DatabaseUnusableError extends Error {
  override readonly name = 'DatabaseUnusableError';
}

/** Key of the advisory lock that serializes migrations ('DFSM'). */
export const MIGRATION_LOCK = 0x4446534d;

/** How often a migration is attempted while its table is locked, and the milliseconds between attempts. */
const MIGRATION_ATTEMPTS = 4;
const MIGRATION_PAUSE_MS = 1_000;

/**
 * Waits for the database, refuses one that is foreign or newer, then applies the pending migrations of the service and of the
 * queue, one process at a time.
 * @param logger gets a line about pending migrations, and about those of another process, which may take a while
 * @param check throws if the database must not be migrated, not even for the queue
 * @throws {DatabaseUnusableError}
 */
export async function prepareDatabase(
  schema: SchemaSource,
  url: string,
  logger?: Pick<Logger, 'info'>,
  check?: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await connectWithRetries({ connectionString: url }).catch((fault: unknown) => {
    throw unreachable(url, fault);
  });
  try {
    if (!(await keepsSessions(client, url))) throw sharedSessions('DATABASE_URL');
    await settle(client);
    await takeTurn(client, logger);
    const pending = await pendingMigrations(client, schema);
    await check?.(client);
    if (pending.length < schema.migrations.length) await replaceMigrations(client, schema.replaced); // else the record does not exist yet
    if (pending.length > 0) {
      const startedAt = performance.now();
      logger?.info({ migrations: pending }, 'migrating the database');
      await migrate(schema, url);
      const ms = Math.round(performance.now() - startedAt);
      logger?.info({ migrations: pending.length, ms }, 'database migrated');
    }
    await runMigrations(client);
  } finally {
    await client.end(); // also releases the lock
  }
}

/** Takes the lock that serializes migrations. One that another process holds is logged: this start waits, and does not listen yet. */
async function takeTurn(client: pg.Client, logger: Pick<Logger, 'info'> | undefined): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [MIGRATION_LOCK]);
  if (rows[0]?.held) return;
  const holder = await client.query<{ backend: number; address: string | null; since: Date }>(
    `SELECT pid AS backend, client_addr AS address, backend_start AS since FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND objid = $1 AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK],
  );
  logger?.info({ ...holder.rows[0] }, 'waiting for another process that is starting or migrating the database');
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
}

/** The database is behind a pooler that shares sessions. @param setting name of the setting that holds its address */
export function sharedSessions(setting: string): DatabaseUnusableError {
  return new DatabaseUnusableError(
    `the connection pooler that ${setting} points to does not keep sessions; configure it to do so (PgBouncer: pool_mode = session), or connect to the database directly`,
  );
}

function unreachable(url: string, fault: unknown): DatabaseUnusableError {
  const reason = messageOf(fault) || codeOf(fault);
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return new DatabaseUnusableError(`the database at ${host}:${port || 5432}${pathname} cannot be reached: ${reason}`);
}

/** Names of the migrations to be applied. @throws {DatabaseUnusableError} if they must not be */
async function pendingMigrations(client: pg.Client, schema: SchemaSource): Promise<readonly string[]> {
  const version = await client.query<{ server_version_num: string }>('SHOW server_version_num');
  const major = Math.floor(Number(version.rows[0]?.server_version_num) / 10_000);
  if (major < 14)
    throw new DatabaseUnusableError(`the database runs PostgreSQL ${major}; version 14 or newer is required`);
  const { rows } = await client.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const tables = rows.map((row) => row.table_name);
  const known = schema.migrations.map((migration) => migration.name);
  if (tables.length === 0) return known;
  if (!tables.includes(MIGRATIONS_TABLE)) {
    throw new DatabaseUnusableError(
      `the database belongs to another application (it has the table "${tables[0]}" but no record of this service's migrations); use an empty database`,
    );
  }
  const applied = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY name`);
  const names = applied.rows.flatMap(({ name }) => schema.replaced[name] ?? [name]);
  const newer = names.filter((name) => !known.includes(name));
  if (newer.length > 0) {
    const others = newer.length > 1 ? ` and ${newer.length - 1} more` : '';
    throw new DatabaseUnusableError(
      `the database was migrated by a newer release (${newer.at(-1)}${others}); start that release instead`,
    );
  }
  return known.filter((name) => !names.includes(name));
}

/** Replaces the records of migrations that were renamed or split by those of their successors. */
async function replaceMigrations(client: pg.Client, replaced: SchemaSource['replaced']): Promise<void> {
  for (const [name, replacements] of Object.entries(replaced)) {
    await client.query(
      `WITH gone AS (DELETE FROM ${MIGRATIONS_TABLE} WHERE name = $1 RETURNING executed_at)
       INSERT INTO ${MIGRATIONS_TABLE} (name, executed_at)
       SELECT replacement, executed_at FROM gone, unnest($2::text[]) AS replacement`,
      [name, replacements],
    );
  }
}

/**
 * Applies pending migrations, each in its own transaction, so that an interrupted start resumes where it stopped. A migration whose
 * table is locked is retried, since the lock may be about to be released.
 * @throws {DatabaseUnusableError} if it is not
 */
async function migrate(schema: SchemaSource, url: string): Promise<void> {
  const orm = await MikroORM.init(ormOptions(schema, url, 2, 'migrator'));
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return void (await orm.migrator.up());
      } catch (error) {
        if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
        if (attempt === MIGRATION_ATTEMPTS) throw inUse(await orm.migrator.getPending());
        await sleep(MIGRATION_PAUSE_MS);
      }
    }
  } finally {
    await orm.close(true);
  }
}

function inUse([next]: readonly { readonly name: string }[]): DatabaseUnusableError {
  return new DatabaseUnusableError(
    `the migration ${next?.name} cannot be applied because other connections are using the database; stop all processes of the service and everything else that uses it, then start again`,
  );
}

/** SQL that would bring the database to the entities' schema; empty if migrations and entities agree. */
export async function schemaDrift(schema: SchemaSource, url: string): Promise<string> {
  const orm = await MikroORM.init(ormOptions(schema, url, 2, 'drift'));
  try {
    return (await orm.schema.getUpdateSchemaSQL({ wrap: false })).trim();
  } finally {
    await orm.close(true);
  }
}
