import pg from 'pg';
import { CONNECTION_PATIENCE } from './patience.js';
import { settle } from './session-settings.js';

/** Lends one connection outside any pool for the time of `work`: for what is done as the owner, before the service serves. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECTION_PATIENCE });
  client.on('error', () => undefined); // the query in flight rejects on its own
  await client.connect();
  try {
    await settle(client);
    return await work(client);
  } finally {
    await client.end();
  }
}
