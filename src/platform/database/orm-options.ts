import { type EntitySchema, type MigrationObject, NullHighlighter } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { poolOptions } from './pool-options.js';
import type { SessionSettings } from './session-settings.js';

/** What the composition root hands to the platform: the schema of all modules and the way to it. */
export interface SchemaSource {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- entity schemas of any shape
  readonly entities: readonly EntitySchema<any, any>[];
  readonly migrations: readonly MigrationObject[];
  /** Names that migrations once had, each with those that make its changes now. */
  readonly replaced: Readonly<Record<string, readonly string[]>>;
  /** Rights on tables whose rows the service may not read, add, change and remove alike. */
  readonly restricted: Readonly<Record<string, string>>;
}

/** Table in which applied migrations are recorded; its presence marks a database as this service's. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/**
 * Migrations see the rows of every tenant, also where the policies bind the owner. While a migration waits for a table,
 * everyone else who wants the table waits behind it: it gives up after two seconds.
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
      allOrNothing: false, // one transaction for all would hold the locks of the first until the indexes of the last are built
      snapshot: false,
      silent: true,
    },
    schemaGenerator: {
      ignoreSchema: ['bullmq'],
      skipTables: [MIGRATIONS_TABLE],
      managementDbName: 'postgres',
      ignoreRoutines: true, // written in migrations, as the columns that are derived by them
      ignorePolicies: true, // they are written in migrations and held to the catalogue by a test of their own
    },
    discovery: { warnWhenNoEntities: false },
    highlighter: new NullHighlighter(),
    debug: false,
  });
}
