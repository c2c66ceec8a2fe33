import type pg from 'pg';
import { connect } from './connect.js';
import { settle } from './session-settings.js';

/** Lends a connection outside any pool for the duration of `work`: for what the owner does before the service starts. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect({ connectionString: url });
  try {
    await settle(client);
    return await work(client);
  } finally {
    await client.end();
  }
}
