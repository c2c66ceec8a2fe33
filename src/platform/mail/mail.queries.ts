import type { Queryable } from '../database/database.js';
import { isOver } from '../database/is-over.js';
import { type OpenItems, openItems } from '../metrics/backlogs.js';

export interface NewMessage {
  readonly id: string;
  readonly kind: string;
  readonly sealed: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertMessage(db: Queryable, message: NewMessage): Promise<void> {
  await db.execute(
    `INSERT INTO mail_messages (id, kind, sealed, next_attempt_at, created_at, expires_at)
     VALUES ($1, $2, $3, clock_timestamp(), $4, $5)`,
    [message.id, message.kind, message.sealed, message.createdAt, message.expiresAt],
  );
}

export interface DueMessage {
  id: string;
  kind: string;
  sealed: Buffer;
}

/** Longest interval between two attempts. */
const MAX_WAIT = `interval '30 minutes'`;

/**
 * Takes at most `limit` due messages, in the order in which they were stored, and postpones their next attempt, so that no two processes
 * send the same one at once and a message is sent later if its process dies. The interval doubles with every attempt.
 */
export function takeDueMessages(db: Queryable, limit: number): Promise<DueMessage[]> {
  return db.query<DueMessage>(
    `WITH due AS MATERIALIZED (
       SELECT id FROM mail_messages WHERE status = 'pending' AND (attempts = 0 OR ${isOver('next_attempt_at', MAX_WAIT)})
       ORDER BY next_attempt_at, id LIMIT $1 FOR UPDATE SKIP LOCKED),
     taken AS (
       UPDATE mail_messages m SET
         attempts = m.attempts + 1,
         next_attempt_at = clock_timestamp() + least(${MAX_WAIT}, interval '150 seconds' * 2.0 ^ least(m.attempts, 10))
       FROM due WHERE m.id = due.id
       RETURNING m.id, m.kind, m.sealed)
     SELECT id, kind, sealed FROM taken ORDER BY id`,
    [limit],
  );
}

/** Ends a message and deletes its text. */
export async function endMessage(
  db: Queryable,
  messageId: string,
  status: 'sent' | 'refused',
  error: string | null,
): Promise<void> {
  await db.execute(
    `UPDATE mail_messages SET status = $2, last_error = $3, sealed = NULL, ended_at = clock_timestamp() WHERE id = $1`,
    [messageId, status, error],
  );
}

export async function noteMailFailure(db: Queryable, messageId: string, error: string): Promise<void> {
  await db.execute(`UPDATE mail_messages SET last_error = $2 WHERE id = $1`, [messageId, error]);
}

export function expireMessages(db: Queryable, now: Date): Promise<number> {
  return db.execute(
    `UPDATE mail_messages SET status = 'expired', sealed = NULL, ended_at = $1 WHERE status = 'pending' AND expires_at <= $1`,
    [now],
  );
}

/** Messages waiting to be sent. */
export function countPendingMessages(db: Queryable): Promise<OpenItems[]> {
  return db.query<OpenItems>(
    `SELECT status AS state, ${openItems('created_at')}
     FROM mail_messages WHERE status = 'pending' GROUP BY status`,
  );
}

export function deleteOldMessages(db: Queryable, now: Date): Promise<number> {
  return db.execute(`DELETE FROM mail_messages WHERE ended_at < $1::timestamptz - interval '30 days'`, [now]);
}

export interface MessageRow {
  id: string;
  kind: string;
  status: string;
  attempts: number;
  created_at: Date;
  next_attempt_at: Date;
  last_error: string | null;
}

/** Messages that have not been sent, newest first. */
export function listUnsentMessages(db: Queryable): Promise<MessageRow[]> {
  return db.query<MessageRow>(
    `SELECT id, kind, status, attempts, created_at, next_attempt_at, last_error FROM mail_messages
     WHERE status <> 'sent' ORDER BY id DESC LIMIT 200`,
  );
}
