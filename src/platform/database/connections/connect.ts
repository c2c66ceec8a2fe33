import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable, isRefused } from '../database-faults.js';

/**
 * Milliseconds within which a connection must open. On a loaded machine that takes seconds, above all during startup, which is
 * itself a load.
 */
export const CONNECTION_PATIENCE_MS = 10_000;

/** Opens one connection outside any pool. */
export async function connect(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECTION_PATIENCE_MS, ...options });
  client.on('error', () => undefined); // the query in flight rejects anyway
  await client.connect();
  return client;
}

/** Attempts: about ten seconds. */
const PATIENT = 20;
const PAUSE_MS = 500;

/**
 * {@link connect} to a database that may be starting or recovering.
 * @param attempts how often to try while the database is unreachable, every half second
 */
export async function connectWithRetries(options: pg.ClientConfig, attempts = PATIENT): Promise<pg.Client> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(options);
    } catch (error) {
      // at startup, waiting does not fix a wrong password or a missing database
      if (attempt >= attempts || !isDatabaseUnavailable(error) || isRefused(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
