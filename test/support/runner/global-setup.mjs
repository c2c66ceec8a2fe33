import { existsSync, lstatSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
// Jest loads this file outside its own module system, so it imports the built code; `npm test` builds first.
import { PROJECT_ROOT } from '../../../dist/config/paths.js';
import { prepareDatabase } from '../../../dist/src/platform/database/setup/prepare-database.js';
import { EmbeddedPostgres } from '../../../dist/src/platform/embedded-postgres/embedded-postgres.js';
import { SCHEMA } from '../../../dist/src/schema.js';

/** Prefix of a cluster's name, followed by the id of its process. */
const CLUSTER = 'forecasting-cluster-';
const IN_MEMORY = '/dev/shm';
/** In bytes: the data of all suites take a few hundred megabytes, those of the suites' processes a gigabyte each. */
const ROOM_IN_MEMORY = 4 * 2 ** 30;
const FREE_MEMORY = 8 * 2 ** 30;

/** One real server for all suites, and a migrated template that each suite copies. */
export default async function globalSetup() {
  globalThis.testDataDirectory = dataDirectory();
  const server = await EmbeddedPostgres.start({
    dataDirectory: globalThis.testDataDirectory,
    password: 'test-only',
    // the data are discarded: durability would only cost time, and a long WAL memory
    parameters: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '512MB' },
  });
  globalThis.testServer = server;
  process.env.TEST_POSTGRES_URL = server.urlOf('postgres');
  const admin = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await admin.connect();
  await admin.query('CREATE DATABASE test_template');
  await admin.end();
  await prepareDatabase(SCHEMA, server.urlOf('test_template'));
}

/**
 * The location of the cluster: in memory if there is plenty of it. Every suite creates and drops databases of 700 files each. On a file
 * system without a journal that takes half a second of CPU each time: it does not reuse the space of a deleted file immediately, but
 * searches for other space.
 */
function dataDirectory() {
  if (!hasRoomInMemory()) return join(PROJECT_ROOT, '.data', `${CLUSTER}${process.pid}`);
  discardLeftovers();
  return join(IN_MEMORY, `${CLUSTER}${process.pid}`);
}

/** Deletes what this user's killed runs have left in memory, where it would remain until the machine is restarted. */
function discardLeftovers() {
  for (const name of readdirSync(IN_MEMORY)) {
    const [, pid] = new RegExp(`^${CLUSTER}(\\d+)$`).exec(name) ?? [];
    if (pid === undefined || (pid !== String(process.pid) && existsSync(`/proc/${pid}`))) continue;
    const directory = join(IN_MEMORY, name);
    const isOwn = lstatSync(directory, { throwIfNoEntry: false })?.uid === process.getuid();
    if (isOwn) rmSync(directory, { recursive: true, force: true });
  }
}

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_IN_MEMORY && process.availableMemory() >= FREE_MEMORY;
  } catch {
    return false; // exists only on Linux
  }
}
