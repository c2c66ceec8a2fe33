import { join } from 'node:path';
import pg from 'pg';
// Jest loads this file outside its own module system, so it takes the built code; `npm test` builds first.
import { PROJECT_ROOT } from '../../dist/config/paths.js';
import { prepareDatabase } from '../../dist/src/platform/database/prepare-database.js';
import { EmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/embedded-postgres.js';
import { SCHEMA } from '../../dist/src/schema.js';

/** One real server for all suites, and a migrated template that each suite copies. */
export default async function globalSetup() {
  const server = await EmbeddedPostgres.start({
    dataDirectory: join(PROJECT_ROOT, '.data', `test-${process.pid}`),
    password: 'test-only',
    // the data are thrown away: durability would only cost time
    parameters: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  globalThis.testServer = server;
  process.env.TEST_POSTGRES_URL = server.urlOf('postgres');
  const admin = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await admin.connect();
  await admin.query('CREATE DATABASE test_template');
  await admin.end();
  await prepareDatabase(SCHEMA, server.urlOf('test_template'));
}
