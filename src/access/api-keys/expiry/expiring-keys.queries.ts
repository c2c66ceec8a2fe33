import type { Transaction } from '../../../platform/database/database.js';

export interface ExpiringKey {
  organizationId: string;
  name: string;
  prefix: string;
  lastFour: string;
  expiresAt: Date;
}

/** How long before the expiry of a key to give notice. */
const NOTICE = `interval '7 days'`;

/**
 * Takes keys of all organizations that are about to expire and for which no notice has been given, and marks them as notified.
 * Leaves out keys that have been dealt with (revoked, rotated), that do not work anyway (locked, unreadable, or of an organization
 * that is suspended or to be deleted), and that were created with a lifetime no longer than the notice: their creators know.
 */
export function takeExpiringKeys(tx: Transaction, now: Date, limit: number): Promise<ExpiringKey[]> {
  return tx.query<ExpiringKey>(
    `WITH due AS MATERIALIZED (
       SELECT k.id FROM api_keys k JOIN organizations o ON o.id = k.organization_id
       WHERE k.expiry_told_at IS NULL AND k.expires_at > $1 AND k.expires_at <= $1::timestamptz + ${NOTICE}
         AND k.created_at < k.expires_at - ${NOTICE}
         AND k.revoked_at IS NULL AND k.successor_id IS NULL AND k.locked_at IS NULL AND k.former_pepper IS NULL
         AND o.suspended_at IS NULL AND o.delete_after IS NULL
       ORDER BY k.organization_id, k.expires_at, k.id LIMIT $2 FOR NO KEY UPDATE OF k SKIP LOCKED
     ), marked AS (
       UPDATE api_keys k SET expiry_told_at = $1 FROM due WHERE k.id = due.id
       RETURNING k.id, k.organization_id, k.name, k.prefix, k.last_four, k.expires_at
     )
     SELECT organization_id AS "organizationId", name, prefix, last_four AS "lastFour", expires_at AS "expiresAt"
     FROM marked ORDER BY organization_id, expires_at, id`,
    [now, limit],
  );
}
