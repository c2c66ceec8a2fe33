import pg from 'pg';
import { CONNECTION_PATIENCE } from './patience.js';

/**
 * Whether two connections at once have sessions of their own. Behind a pooler that lends a session for a transaction they
 * share one, and with it the scope of a tenant (session-scope.ts) and the locks of migrations.
 * @param client a connection to `url` that nothing else uses
 */
export async function keepsSessions(client: pg.ClientBase, url: string): Promise<boolean> {
  const before = await sessionOf(client);
  const other = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECTION_PATIENCE });
  other.on('error', () => undefined); // the query in flight rejects on its own
  await other.connect();
  try {
    return (await sessionOf(other)) !== before && (await sessionOf(client)) === before;
  } finally {
    await other.end();
  }
}

async function sessionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ session: number }>('SELECT pg_backend_pid() AS session');
  return rows[0]!.session;
}
