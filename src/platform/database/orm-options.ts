import { type EntitySchema, type MigrationObject, NullHighlighter } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { poolOptions } from './pool-options.js';
import type { SessionSettings } from './session-settings.js';

/** The schema of all modules, which the composition root hands to the platform. */
export interface SchemaSource {
  // oxlint-disable-next-line typescript/no-explicit-any -- entity schemas of any shape
  readonly entities: readonly EntitySchema<any, any>[];
  readonly migrations: readonly MigrationObject[];
  /** Former names of migrations, each with the migrations that make its changes now. */
  readonly replaced: Readonly<Record<string, readonly string[]>>;
  /** Tables on which the service lacks some right to read, add, change or remove rows, each with the rights that it has. */
  readonly restricted: Readonly<Record<string, string>>;
}

/** Table in which applied migrations are recorded; its presence marks a database as this service's. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/**
 * Migrations see the rows of every tenant, even where row-level security binds the owner. While a migration waits for a table,
 * everyone else who wants the table waits behind it, so it gives up after two seconds.
 */
const OF_MIGRATOR: SessionSettings = { 'app.system': 'on', lock_timeout: '2s' };

/** MikroORM over one PostgreSQL. */
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
    // of `clientUrl` MikroORM itself takes neither the query (sslmode, sslrootcert) nor IPv6 addresses
    driverOptions: poolOptions(url, role, role === 'migrator' ? OF_MIGRATOR : {}),
    forceUtcTimezone: true,
    migrations: {
      tableName: MIGRATIONS_TABLE,
      migrationsList: [...schema.migrations],
      allOrNothing: false, // a single transaction would hold the first migration's locks until the last one's indexes are built
      snapshot: false,
      silent: true,
    },
    schemaGenerator: {
      ignoreSchema: ['bullmq'],
      skipTables: [MIGRATIONS_TABLE],
      managementDbName: 'postgres',
      ignoreRoutines: true, // written in migrations, like the columns that they derive
      ignorePolicies: true, // written in migrations; test/tenancy/catalogue checks them
    },
    discovery: { warnWhenNoEntities: false },
    highlighter: new NullHighlighter(),
    debug: false,
  });
}
