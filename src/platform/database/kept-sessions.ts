import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type pg from 'pg';
import { within } from '../deadline.js';
import { connect } from './connect.js';

/** Milliseconds in which a notification must have come once it is committed; a database that is not overwhelmed brings it at once. */
export const NOTIFICATION_PATIENCE = 5_000;

/**
 * Whether connections have sessions of their own. Behind a pooler that lends a session for a transaction they share some, and
 * with them the scope of a tenant (session-scope.ts) and the locks of migrations. It is told by a notification that comes to a
 * connection which asks nothing: to one without a session none can come, however busy the pooler is and whichever session it
 * would lend next.
 * @param client a connection to `url` that nothing else uses
 */
export async function keepsSessions(client: pg.ClientBase, url: string): Promise<boolean> {
  const listener = await connect({ connectionString: url });
  try {
    const channel = listener.escapeIdentifier(`sessions ${randomUUID()}`);
    await listener.query(`LISTEN ${channel}`);
    const notification = once(listener, 'notification');
    await Promise.race([client.query(`NOTIFY ${channel}`), notification]);
    return (await within(NOTIFICATION_PATIENCE, notification)) !== undefined;
  } finally {
    await listener.end();
  }
}
