import type { Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import type { AttemptSubject } from './attempt-subjects.js';

const MAX_WAIT_SECONDS = 900;

/** Seconds until an attempt counted for these may be made, the longest of their waits; undefined if it may be made now. */
export async function longestWait(
  db: Queryable,
  subjects: readonly AttemptSubject[],
  now: Date,
): Promise<number | undefined> {
  const rows = await db.query<{ blocked_until: Date }>(
    `SELECT blocked_until FROM sign_in_attempts
     WHERE subject = ANY ($1) AND NOT ${isOver('blocked_until', MAX_WAIT_SECONDS * 1_000, '$2::timestamptz')}
     ORDER BY blocked_until DESC LIMIT 1`,
    [subjects.map(({ subject }) => subject), now],
  );
  return rows[0] && Math.ceil((rows[0].blocked_until.getTime() - now.getTime()) / 1_000);
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot all pass. A success is subtracted later.
 * @returns whether it may be made; if not, it is not counted
 */
export async function countAttempt(db: Queryable, { subject, free }: AttemptSubject, now: Date): Promise<boolean> {
  const counted = await db.execute(
    `INSERT INTO sign_in_attempts (subject, failures, last_at) VALUES ($1, 1, $2)
     ON CONFLICT (subject) DO UPDATE SET
       failures = CASE WHEN sign_in_attempts.last_at < $2::timestamptz - interval '1 hour' THEN 1 ELSE sign_in_attempts.failures + 1 END,
       last_at = $2,
       blocked_until = CASE
         WHEN sign_in_attempts.last_at < $2::timestamptz - interval '1 hour' OR sign_in_attempts.failures < $3 THEN NULL
         ELSE $2::timestamptz + make_interval(secs => least($4, 2.0 ^ least(sign_in_attempts.failures + 1 - $3, 20))) END
     WHERE sign_in_attempts.blocked_until IS NULL OR ${isOver('sign_in_attempts.blocked_until', MAX_WAIT_SECONDS * 1_000, '$2::timestamptz')}`,
    [subject, now, free, MAX_WAIT_SECONDS],
  );
  return counted > 0;
}

/** Subtracts the last attempt and the wait that it started. */
export async function uncountAttempt(db: Queryable, { subject }: AttemptSubject): Promise<void> {
  await db.execute(
    `UPDATE sign_in_attempts SET failures = failures - 1, blocked_until = NULL WHERE subject = $1 AND failures > 0`,
    [subject],
  );
}

export async function clearAttempts(db: Queryable, subjects: readonly AttemptSubject[]): Promise<void> {
  await db.execute(`DELETE FROM sign_in_attempts WHERE subject = ANY($1)`, [subjects.map(({ subject }) => subject)]);
}

/** Deletes counts that no longer have any effect. */
export function deleteOldAttempts(db: Queryable, now: Date): Promise<number> {
  return db.execute(`DELETE FROM sign_in_attempts WHERE last_at < $1::timestamptz - interval '1 day'`, [now]);
}
