import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import { isDuplicate } from '../../platform/database/database-faults.js';

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly isOperator: boolean;
  readonly createdAt: Date;
}

const COLUMNS = `id, email, name, password_hash AS "passwordHash", is_operator AS "isOperator", created_at AS "createdAt"`;

/** The canonical spelling of an address: accounts do not differ by case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  return oneOrNone<UserRow>(db, `SELECT ${COLUMNS} FROM users WHERE email = $1`, [normalizeEmail(email)]);
}

/** Adds an account; undefined if the address already has one. */
export function insertUser(db: Queryable, user: UserRow): Promise<UserRow | undefined> {
  return oneOrNone<UserRow>(
    db,
    `INSERT INTO users (id, email, name, password_hash, is_operator, password_changed_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`,
    [user.id, normalizeEmail(user.email), user.name, user.passwordHash, user.isOperator, user.createdAt],
  );
}

/** @returns whether that changed anything */
export async function setOperator(db: Queryable, userId: string, isOperator: boolean): Promise<boolean> {
  return (
    (await db.execute(`UPDATE users SET is_operator = $2 WHERE id = $1 AND is_operator <> $2`, [
      userId,
      isOperator,
    ])) === 1
  );
}

/**
 * Locks the user until the transaction ends. False if the password has changed since it was checked: someone who only knows the old
 * one must not get in.
 */
export async function lockPassword(tx: Transaction, user: Pick<UserRow, 'id' | 'passwordHash'>): Promise<boolean> {
  const rows = await tx.query(`SELECT FROM users WHERE id = $1 AND password_hash = $2 FOR UPDATE`, [
    user.id,
    user.passwordHash,
  ]);
  return rows.length === 1;
}

/**
 * Sets a new password and invalidates open links for a password reset or another address: whoever knew the old password may have
 * requested them. Locks the user before the links, like the use of a link does.
 */
export async function setPassword(tx: Transaction, userId: string, passwordHash: string, now: Date): Promise<void> {
  await tx.execute(`UPDATE users SET password_hash = $2, password_changed_at = $3 WHERE id = $1`, [
    userId,
    passwordHash,
    now,
  ]);
  await endLinks(tx, userId);
}

/** Locks the user until the transaction ends: nobody can make the user a member in the meantime. @returns whether the user exists */
export async function lockUser(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.query(`SELECT FROM users WHERE id = $1 FOR UPDATE`, [userId])).length === 1;
}

/**
 * Deletes the user with sessions, codes, links and everything else that references only the user; the forum keeps texts without an
 * author.
 */
export async function deleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(`DELETE FROM users WHERE id = $1`, [userId]);
}

export async function setName(db: Queryable, userId: string, name: string): Promise<void> {
  await db.execute(`UPDATE users SET name = $2 WHERE id = $1`, [userId, name]);
}

/**
 * Changes the account's email address, and invalidates open links for a password reset, which were sent to the previous one, or for
 * another address.
 * @returns false if the address has an account; then nothing of the transaction is stored
 */
export async function setEmail(tx: Transaction, userId: string, email: string): Promise<boolean> {
  try {
    await tx.execute(`UPDATE users SET email = $2 WHERE id = $1`, [userId, normalizeEmail(email)]);
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
  await endLinks(tx, userId);
  return true;
}

async function endLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(`DELETE FROM password_resets WHERE user_id = $1`, [userId]);
  await tx.execute(`DELETE FROM email_changes WHERE user_id = $1`, [userId]);
}

export function listUsers(db: Queryable): Promise<UserRow[]> {
  return db.query<UserRow>(`SELECT ${COLUMNS} FROM users ORDER BY id DESC`);
}
