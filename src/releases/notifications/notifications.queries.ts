import { countRows, oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { NotificationBody } from '../dto/replies.dto.js';

/**
 * Every release, with whether user $1 has read it: individually, or below the watermark. Releases announced before the account was
 * created are not news to its owner.
 */
const NOTIFICATIONS = `
  SELECT r.id, 'release' AS kind, r.version, r.title, '/changelog#v' || r.version AS url, r.created_at,
         r.created_at <= u.created_at OR coalesce(r.id <= w.read_up_to, false) OR n.release_id IS NOT NULL AS read
    FROM users u CROSS JOIN releases r
    LEFT JOIN notification_watermarks w ON w.user_id = u.id
    LEFT JOIN notification_reads n ON n.user_id = u.id AND n.release_id = r.id
   WHERE u.id = $1`;

export interface NotificationFilter extends IdSlice {
  readonly unreadOnly: boolean;
}

/** Newest announcement first: ids are created in the order of announcement. */
export function listNotifications(
  db: Queryable,
  userId: string,
  filter: NotificationFilter,
): Promise<NotificationBody[]> {
  return db.query<NotificationBody>(
    `SELECT * FROM (${NOTIFICATIONS}) notifications
      WHERE ($2::uuid IS NULL OR id < $2) AND NOT ($3 AND read) ORDER BY id DESC LIMIT $4`,
    [userId, filter.after ?? null, filter.unreadOnly, filter.limit],
  );
}

export function countUnread(db: Queryable, userId: string): Promise<number> {
  return countRows(db, `SELECT FROM (${NOTIFICATIONS}) notifications WHERE NOT read`, [userId]);
}

export async function markRead(tx: Transaction, userId: string, releaseId: string): Promise<void> {
  await tx.execute(
    `INSERT INTO notification_reads (user_id, release_id) VALUES ($1, $2) ON CONFLICT (user_id, release_id) DO NOTHING`,
    [userId, releaseId],
  );
}

/** Advances the user's watermark to a release; it never moves back. */
export async function markReadUpTo(tx: Transaction, userId: string, releaseId: string): Promise<void> {
  await tx.execute(
    `INSERT INTO notification_watermarks (user_id, read_up_to) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET read_up_to = greatest(notification_watermarks.read_up_to, excluded.read_up_to)`,
    [userId, releaseId],
  );
}

/** The most recently announced release. */
export async function latestRelease(db: Queryable): Promise<string | undefined> {
  const row = await oneOrNone<{ id: string }>(db, `SELECT id FROM releases ORDER BY id DESC LIMIT 1`);
  return row?.id;
}
