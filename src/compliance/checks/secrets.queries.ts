import { one, type Queryable } from '../../platform/database/database.js';

/** A column of sealed boxes, and the column of their owner (platform/crypto/sealed-box.ts). */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly owner: string;
}

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'users', column: 'totp_secret', owner: 'id' },
  { table: 'mail_messages', column: 'sealed', owner: 'id' },
  { table: 'connectors', column: 'sealed', owner: 'id' },
];

/** Columns of SHA-256 or HMAC-SHA256 values that stand for credentials. */
export const HASH_COLUMNS = [
  { table: 'api_keys', column: 'hash' },
  { table: 'sessions', column: 'token_hash' },
  { table: 'invitations', column: 'token_hash' },
  { table: 'password_resets', column: 'token_hash' },
  { table: 'email_changes', column: 'token_hash' },
  { table: 'recovery_codes', column: 'hash' },
] as const;

export interface SealedBox {
  readonly owner: string;
  readonly box: Buffer;
}

/** Sealed boxes by owner: the batch after an owner, or the first. */
export function readSealed(
  db: Queryable,
  { table, column, owner }: SealedColumn,
  after: string | undefined,
  limit: number,
): Promise<SealedBox[]> {
  return db.query<SealedBox>(
    `SELECT ${owner} AS owner, ${column} AS box FROM ${table}
     WHERE ${column} IS NOT NULL AND ($1::uuid IS NULL OR ${owner} > $1) ORDER BY ${owner} LIMIT $2`,
    [after ?? null, limit],
  );
}

/** Values of a column, and those that are not as long as a SHA-256. */
export function countHashes(
  db: Queryable,
  { table, column }: (typeof HASH_COLUMNS)[number],
): Promise<{ total: number; wrong: number }> {
  return one(
    db,
    `SELECT count(*)::int AS total, count(*) FILTER (WHERE octet_length(${column}) <> 32)::int AS wrong FROM ${table}`,
  );
}

/** Passwords, and those that are not argon2id in PHC string format. */
export function countPasswords(db: Queryable): Promise<{ total: number; wrong: number }> {
  return one(
    db,
    `SELECT count(*)::int AS total,
              count(*) FILTER (WHERE password_hash !~ '^\\$argon2id\\$v=19\\$m=\\d+,t=\\d+,p=\\d+\\$[\\w+/]{16,}\\$[\\w+/]{43,}$')::int AS wrong
       FROM users`,
  );
}
