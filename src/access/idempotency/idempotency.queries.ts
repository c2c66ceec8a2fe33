import { oneOrNone, type Queryable, type Transaction } from '../../platform/database/database.js';
import { withLockTimeout } from '../../platform/database/lock-timeout.js';

/** Who sent which Idempotency-Key. */
export interface KeyIdentity {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly key: string;
}

export interface IdempotencyRow {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly headers: Record<string, string> | null;
  readonly body: unknown;
}

/**
 * Takes the key for this transaction. Waits at most `patience` while another transaction holds it.
 * @returns false if the key is already taken
 */
export async function takeKey(
  tx: Transaction,
  identity: KeyIdentity,
  requestHash: Buffer,
  times: { readonly now: Date; readonly expiresAt: Date; readonly patience: number },
): Promise<boolean> {
  const taken = await withLockTimeout(tx, times.patience, () =>
    tx.execute(
      `INSERT INTO idempotency_keys (api_key_id, key, organization_id, request_hash, expires_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (api_key_id, key) DO UPDATE
         SET request_hash = $4, expires_at = $5, status = NULL, headers = NULL, body = NULL
         WHERE idempotency_keys.expires_at <= $6`,
      [identity.apiKeyId, identity.key, identity.organizationId, requestHash, times.expiresAt, times.now],
    ),
  );
  return taken > 0;
}

export function findReply(db: Queryable, identity: KeyIdentity, now: Date): Promise<IdempotencyRow | undefined> {
  return oneOrNone<IdempotencyRow>(
    db,
    `SELECT request_hash AS "requestHash", status, headers, body FROM idempotency_keys
     WHERE organization_id = $1 AND api_key_id = $2 AND key = $3 AND expires_at > $4`,
    [identity.organizationId, identity.apiKeyId, identity.key, now],
  );
}

export async function storeReply(
  tx: Transaction,
  identity: KeyIdentity,
  reply: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
): Promise<void> {
  await tx.execute(
    `UPDATE idempotency_keys SET status = $4, headers = $5, body = $6
     WHERE organization_id = $1 AND api_key_id = $2 AND key = $3`,
    [
      identity.organizationId,
      identity.apiKeyId,
      identity.key,
      reply.status,
      JSON.stringify(reply.headers),
      JSON.stringify(reply.body ?? null),
    ],
  );
}

/** Deletes expired keys of every organization, a bounded number at a time. */
export function deleteExpiredKeys(db: Queryable, now: Date, limit: number): Promise<number> {
  return db.execute(
    `DELETE FROM idempotency_keys WHERE (api_key_id, key) IN
       (SELECT api_key_id, key FROM idempotency_keys WHERE expires_at <= $1 LIMIT $2)`,
    [now, limit],
  );
}
