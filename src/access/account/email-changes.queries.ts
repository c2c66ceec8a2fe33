import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import type { AccountChange } from './change-account.js';

export interface NewEmailChange {
  readonly userId: string;
  /** The new address, in lower case. */
  readonly email: string;
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Stores the address that a user requests; invalidates a link for another one. */
export async function putEmailChange(db: Queryable, change: NewEmailChange): Promise<void> {
  await db.execute(
    `INSERT INTO email_changes (user_id, email, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (user_id) DO UPDATE SET email = $2, token_hash = $3, created_at = $4, expires_at = $5`,
    [change.userId, change.email, change.tokenHash, change.createdAt, change.expiresAt],
  );
}

/** Consumes a link; of several concurrent attempts one succeeds. Locks the user first, like every change to an account. */
export function takeEmailChange(
  tx: Transaction,
  tokenHash: Buffer,
  now: Date,
): Promise<AccountChange<string> | undefined> {
  return oneOrNone<AccountChange<string>>(
    tx,
    `WITH owner AS MATERIALIZED (
       SELECT u.id, u.email FROM users u JOIN email_changes c ON c.user_id = u.id
       WHERE c.token_hash = $1 AND c.expires_at > $2 FOR UPDATE OF u
     )
     DELETE FROM email_changes c USING owner WHERE c.token_hash = $1 AND c.user_id = owner.id
     RETURNING owner.id AS "userId", owner.email AS "from", c.email AS "to"`,
    [tokenHash, now],
  );
}

export function deleteExpiredEmailChanges(db: Queryable, now: Date): Promise<number> {
  return db.execute(`DELETE FROM email_changes WHERE expires_at <= $1`, [now]);
}
