import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type pg from 'pg';
import { within } from '../../work/deadline.js';
import { connect } from './connect.js';

/** Milliseconds within which a committed notification must arrive. A database that is not overloaded delivers it immediately. */
export const NOTIFICATION_PATIENCE_MS = 5_000;

/**
 * Whether every connection has a session of its own. Behind a pooler in transaction mode, connections share sessions, and with them
 * the tenant scope (session-scope.ts) and the migration locks. The test: a notification must reach an idle listening connection,
 * which happens only if that connection has a session of its own.
 * @param client a connection to `url` that nothing else uses
 */
export async function keepsSessions(client: pg.ClientBase, url: string): Promise<boolean> {
  const listener = await connect({ connectionString: url });
  try {
    const channel = listener.escapeIdentifier(`sessions ${randomUUID()}`);
    await listener.query(`LISTEN ${channel}`);
    const notification = once(listener, 'notification');
    await Promise.race([client.query(`NOTIFY ${channel}`), notification]);
    return (await within(NOTIFICATION_PATIENCE_MS, notification)) !== undefined;
  } finally {
    await listener.end();
  }
}
