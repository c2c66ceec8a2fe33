import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseAway, isRefused } from './database-faults.js';

/**
 * Milliseconds within which a connection must open. On a machine under load that takes seconds, above all during a start, which
 * is itself a load.
 */
export const CONNECTION_PATIENCE_MS = 10_000;

/** Opens one connection outside any pool. */
export async function connect(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECTION_PATIENCE_MS, ...options });
  client.on('error', () => undefined); // the query in flight rejects on its own
  await client.connect();
  return client;
}

/** Attempts: some ten seconds. */
const PATIENT = 20;
const PAUSE_MS = 500;

/**
 * {@link connect} to a database that may be starting or recovering.
 * @param attempts how often it is tried while the database is away, every half a second
 */
export async function connectPatiently(options: pg.ClientConfig, attempts = PATIENT): Promise<pg.Client> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(options);
    } catch (error) {
      // at a start, waiting does not mend a wrong password or a missing database
      if (attempt >= attempts || !isDatabaseAway(error) || isRefused(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
