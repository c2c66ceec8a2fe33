import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';

export interface SecondFactorRow {
  readonly secret: Buffer | null;
  readonly confirmedAt: Date | null;
  readonly lastStep: number | null;
}

const COLUMNS = `totp_secret AS secret, totp_confirmed_at AS "confirmedAt", totp_last_step AS "lastStep"`;

/** Locks the user's row until the transaction ends, so that of two sign-ins with the same code the second finds it used. */
export function lockSecondFactor(tx: Transaction, userId: string): Promise<SecondFactorRow | undefined> {
  return oneOrNone<SecondFactorRow>(tx, `SELECT ${COLUMNS} FROM users WHERE id = $1 FOR UPDATE`, [userId]);
}

/** Stores a secret that is yet to be confirmed. Does not replace a confirmed one. */
export async function storeSecret(db: Queryable, userId: string, sealed: Buffer): Promise<boolean> {
  const stored = await db.execute(
    `UPDATE users SET totp_secret = $2, totp_last_step = NULL WHERE id = $1 AND totp_confirmed_at IS NULL`,
    [userId, sealed],
  );
  return stored > 0;
}

export async function confirmSecret(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.execute(`UPDATE users SET totp_confirmed_at = $2 WHERE id = $1`, [userId, now]);
}

/** Records the time step of an accepted code: no code up to this step is accepted again. */
export async function useStep(db: Queryable, userId: string, step: number): Promise<void> {
  await db.execute(`UPDATE users SET totp_last_step = $2 WHERE id = $1`, [userId, step]);
}

/** Deletes the second factor with its recovery codes. */
export async function removeSecret(db: Queryable, userId: string): Promise<void> {
  await db.execute(
    `UPDATE users SET totp_secret = NULL, totp_confirmed_at = NULL, totp_last_step = NULL WHERE id = $1`,
    [userId],
  );
  await db.execute(`DELETE FROM recovery_codes WHERE user_id = $1`, [userId]);
}

export async function replaceRecoveryCodes(db: Queryable, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.execute(`DELETE FROM recovery_codes WHERE user_id = $1`, [userId]);
  await db.execute(`INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])`, [userId, hashes]);
}

/** @returns whether the user had this code; it is deleted */
export async function useRecoveryCode(db: Queryable, userId: string, hash: Buffer): Promise<boolean> {
  return (await db.execute(`DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2`, [userId, hash])) > 0;
}
