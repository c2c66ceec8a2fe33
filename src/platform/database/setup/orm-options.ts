import { type EntitySchema, type MigrationObject, NullHighlighter } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { poolOptions } from '../connections/pool-options.js';
import type { SessionSettings } from '../connections/session-settings.js';

/** The schema of all modules, passed in by the composition root. */
export interface SchemaSource {
  // oxlint-disable-next-line typescript/no-explicit-any -- entity schemas of any shape
  readonly entities: readonly EntitySchema<any, any>[];
  readonly migrations: readonly MigrationObject[];
  /** Former names of migrations, each with the migrations that now make its changes. */
  readonly replaced: Readonly<Record<string, readonly string[]>>;
  /** Tables on which the service lacks some of the privileges to read, insert, update or delete rows, each with those that it has. */
  readonly restricted: Readonly<Record<string, string>>;
}

/** Table that records applied migrations; its presence marks a database as this service's. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/**
 * Migrations see the rows of every tenant, even if row-level security binds the owner. While a migration waits for a table,
 * everyone else who needs the table queues behind it, so it gives up after two seconds.
 */
const OF_MIGRATOR: SessionSettings = { 'app.system': 'on', lock_timeout: '2s' };

/** MikroORM options for one PostgreSQL database. */
export function ormOptions(
  schema: Pick<SchemaSource, 'entities' | 'migrations'>,
  url: string,
  pool: number,
  role = 'app',
): Options {
  return defineConfig({
    clientUrl: url,
    entities: [...schema.entities],
    extensions: [Migrator],
    pool: { min: 0, max: pool },
    // MikroORM itself ignores the query of `clientUrl` (sslmode, sslrootcert) and does not support IPv6 addresses in it
    driverOptions: poolOptions(url, role, role === 'migrator' ? OF_MIGRATOR : {}),
    forceUtcTimezone: true,
    migrations: {
      tableName: MIGRATIONS_TABLE,
      migrationsList: [...schema.migrations],
      allOrNothing: false, // a single transaction would hold the locks of the first migration until the indexes of the last are built
      snapshot: false,
      silent: true,
    },
    schemaGenerator: {
      ignoreSchema: ['bullmq'],
      skipTables: [MIGRATIONS_TABLE],
      managementDbName: 'postgres',
      ignoreRoutines: true, // created in migrations, like the columns derived by them
      ignorePolicies: true, // created in migrations and checked by test/tenancy/catalog
    },
    discovery: { warnWhenNoEntities: false },
    highlighter: new NullHighlighter(),
    debug: false,
  });
}
