import { countRows, one, oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import { isLockTimeout } from '../../platform/database/database-faults.js';
import { withLockTimeout } from '../../platform/database/lock-timeout.js';
import type { IdSlice } from '../../platform/http/pagination.js';

export interface ApiKeyRow {
  id: string;
  workspace_id: string | null;
  name: string;
  prefix: string;
  last_four: string;
  ip_allowlist: string[];
  locked_at: Date | null;
  revoked_at: Date | null;
  expires_at: Date | null;
  /** Whether the pepper that it was hashed with has been replaced. */
  unreadable: boolean;
  last_used_at: Date | null;
  created_by: string | null;
  created_by_email: string | null;
  successor_id: string | null;
  created_at: Date;
}

const COLUMNS = `id, workspace_id, name, prefix, last_four, ip_allowlist, locked_at, revoked_at, expires_at, last_used_at,
  former_pepper IS NOT NULL AS unreadable, created_by, created_by_email, successor_id, created_at`;

/**
 * SQL condition that a key `k` has not ended: it is neither revoked, unreadable nor expired.
 * @param now the statement's parameter for the current time, such as `$2`
 */
export function notEnded(now: `$${number}`): string {
  return `k.revoked_at IS NULL AND k.former_pepper IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})`;
}

/** A key to be created. */
export interface RequestedApiKey {
  readonly name: string;
  /** The only workspace that the key has access to; null for all. */
  readonly workspaceId: string | null;
  readonly ipAllowlist?: readonly string[];
  readonly expiresAt?: Date | null;
}

export interface NewApiKey extends Required<RequestedApiKey> {
  readonly id: string;
  readonly hash: Buffer;
  readonly prefix: string;
  readonly lastFour: string;
  /** The user who creates it. */
  readonly maker: { readonly id: string; readonly email: string } | null;
  readonly createdAt: Date;
}

export function insertApiKey(db: Queryable, organizationId: string, key: NewApiKey): Promise<ApiKeyRow> {
  return one<ApiKeyRow>(
    db,
    `INSERT INTO api_keys (id, organization_id, workspace_id, name, hash, prefix, last_four, ip_allowlist, expires_at,
       created_by, created_by_email, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING ${COLUMNS}`,
    [
      key.id,
      organizationId,
      key.workspaceId,
      key.name,
      key.hash,
      key.prefix,
      key.lastFour,
      key.ipAllowlist,
      key.expiresAt,
      key.maker?.id ?? null,
      key.maker?.email ?? null,
      key.createdAt,
    ],
  );
}

/** Newest first, including revoked ones; all of them without a slice. */
export function listApiKeys(db: Queryable, organizationId: string, slice?: IdSlice): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(
    `SELECT ${COLUMNS} FROM api_keys WHERE organization_id = $1 AND ($2::uuid IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [organizationId, slice?.after ?? null, slice?.limit ?? null],
  );
}

export function findApiKey(db: Queryable, organizationId: string, keyId: string): Promise<ApiKeyRow | undefined> {
  return oneOrNone<ApiKeyRow>(db, `SELECT ${COLUMNS} FROM api_keys WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    keyId,
  ]);
}

/** Permanently revokes a key that {@link lockApiKey} has locked. */
export function revokeApiKey(tx: Transaction, organizationId: string, keyId: string, now: Date): Promise<ApiKeyRow> {
  return one<ApiKeyRow>(
    tx,
    `UPDATE api_keys SET revoked_at = $3 WHERE organization_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [organizationId, keyId, now],
  );
}

/** Keys that count against the plan: not revoked, expired, unreadable or in the grace period after rotation. */
export function countLiveApiKeys(db: Queryable, organizationId: string, now: Date): Promise<number> {
  return countNotEnded(db, organizationId, now, 'successor_id IS NULL');
}

/** Keys that still work in the grace period after rotation. */
export function countSupersededApiKeys(db: Queryable, organizationId: string, now: Date): Promise<number> {
  return countNotEnded(db, organizationId, now, 'successor_id IS NOT NULL AND locked_at IS NULL');
}

function countNotEnded(db: Queryable, organizationId: string, now: Date, which: string): Promise<number> {
  const keys = `SELECT FROM api_keys k WHERE organization_id = $1 AND ${notEnded('$2')} AND ${which}`;
  return countRows(db, keys, [organizationId, now]);
}

/** Milliseconds to wait for a key's row. Using a key locks it for a moment. */
const PATIENCE_MS = 1_000;

/**
 * Locks the key's row until the transaction ends, so that of two concurrent rotations one finds it rotated. FOR NO KEY UPDATE still
 * allows requests with an Idempotency-Key to reference their key. FOR UPDATE could deadlock: the rotation, which has locked the
 * organization, would wait for such requests, and they for the organization. A row that stays locked belongs to a workspace that is
 * being deleted, and counts as gone, like the workspace: whoever has locked the organization must not wait for that, which may take
 * minutes.
 * @returns undefined if the key does not or no longer exist; then nothing of the transaction is stored
 */
export async function lockApiKey(
  tx: Transaction,
  organizationId: string,
  keyId: string,
): Promise<ApiKeyRow | undefined> {
  const rows = await withLockTimeout(tx, PATIENCE_MS, () =>
    tx.query<ApiKeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
      organizationId,
      keyId,
    ]),
  ).catch((error: unknown) => {
    if (isLockTimeout(error)) return [];
    throw error;
  });
  return rows[0];
}

export function updateApiKey(
  db: Queryable,
  organizationId: string,
  keyId: string,
  change: { readonly name: string; readonly ipAllowlist: readonly string[] },
): Promise<ApiKeyRow | undefined> {
  return oneOrNone<ApiKeyRow>(
    db,
    `UPDATE api_keys SET name = $3, ip_allowlist = $4 WHERE organization_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [organizationId, keyId, change.name, change.ipAllowlist],
  );
}

/** Records the successor of a key, which keeps working until `expiresAt` or its own earlier expiry. */
export async function supersedeApiKey(
  db: Queryable,
  organizationId: string,
  keyId: string,
  { successorId, expiresAt }: { readonly successorId: string; readonly expiresAt: Date },
): Promise<void> {
  await db.execute(
    `UPDATE api_keys SET successor_id = $3, expires_at = LEAST(COALESCE(expires_at, $4), $4::timestamptz)
     WHERE organization_id = $1 AND id = $2`,
    [organizationId, keyId, successorId, expiresAt],
  );
}

/**
 * Marks the keys that were hashed with the replaced pepper as unreadable, and unmarks those of the new pepper, if it has been in
 * use before. Revoked and expired keys are marked too; their state does not change.
 * @param former,present digests of the peppers
 */
export async function markUnreadableApiKeys(tx: Transaction, former: Buffer, present: Buffer): Promise<void> {
  await tx.execute(
    `UPDATE api_keys SET former_pepper = CASE WHEN former_pepper IS NULL THEN $1::bytea END
     WHERE former_pepper IS NULL OR former_pepper = $2`,
    [former, present],
  );
}
