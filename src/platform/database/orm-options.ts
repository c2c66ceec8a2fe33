import { type EntitySchema, type MigrationObject, NullHighlighter } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { APPLICATION_NAME } from '../embedded-postgres/embedded-postgres.js';
import { CONNECTION_PATIENCE } from './patience.js';

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
const OF_MIGRATOR = '-c app.system=on -c lock_timeout=2s';

/**
 * MikroORM over one PostgreSQL. `idle_in_transaction_session_timeout` is below the lease of a run: a process frozen
 * inside a transaction must lose its row locks before its work is taken over.
 */
export function ormOptions(schema: SchemaSource, url: string, pool: number, role = 'app'): Options {
  return defineConfig({
    clientUrl: url,
    entities: [...schema.entities],
    extensions: [Migrator],
    pool: { min: 0, max: pool },
    driverOptions: {
      application_name: `${APPLICATION_NAME}-${role}`,
      connectionTimeoutMillis: CONNECTION_PATIENCE,
      idle_in_transaction_session_timeout: 4_000,
      keepAlive: true,
      ...(role === 'migrator' ? { options: OF_MIGRATOR } : {}),
    },
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
