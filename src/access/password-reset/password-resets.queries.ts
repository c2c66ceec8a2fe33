import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { UserRow } from '../users/users.queries.js';

export interface NewPasswordReset {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertPasswordReset(db: Queryable, reset: NewPasswordReset): Promise<void> {
  await db.execute(
    `INSERT INTO password_resets (id, user_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
    [reset.id, reset.userId, reset.tokenHash, reset.createdAt, reset.expiresAt],
  );
}

/** Whose password a link sets; undefined if the link can no longer be used. */
export function findOwnerOfReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<Pick<UserRow, 'email' | 'name'> | undefined> {
  return oneOrNone<Pick<UserRow, 'email' | 'name'>>(
    db,
    `SELECT u.email, u.name FROM users u JOIN password_resets r ON r.user_id = u.id
     WHERE r.token_hash = $1 AND r.expires_at > $2`,
    [tokenHash, now],
  );
}

/**
 * Consumes a link; of several concurrent attempts one succeeds. Locks the user first, since the new password invalidates the user's
 * other links, one of which may be in use right now.
 * @returns the user
 */
export function takePasswordReset(
  tx: Transaction,
  tokenHash: Buffer,
  now: Date,
): Promise<{ id: string; email: string } | undefined> {
  return oneOrNone<{ id: string; email: string }>(
    tx,
    `WITH owner AS MATERIALIZED (
       SELECT u.id, u.email FROM users u JOIN password_resets r ON r.user_id = u.id
       WHERE r.token_hash = $1 AND r.expires_at > $2 FOR UPDATE OF u
     )
     DELETE FROM password_resets r USING owner WHERE r.token_hash = $1 AND r.user_id = owner.id
     RETURNING owner.id, owner.email`,
    [tokenHash, now],
  );
}

export function deleteExpiredResets(db: Queryable, now: Date): Promise<number> {
  return db.execute(`DELETE FROM password_resets WHERE expires_at <= $1`, [now]);
}
