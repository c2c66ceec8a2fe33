import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { ConnectorTenant, ReconnectReason, StoredConnector } from '../connector.js';

/**
 * Records that the credentials do not work, which stops scheduled syncs. If a member has changed the connector since they were read, the
 * new credentials are tried instead.
 * @returns `state` if they worked before, `reason` if only the reason has changed; undefined if nothing is new
 */
export async function noteReconnect(
  db: Queryable,
  { organizationId, connectorId, updatedAt }: Pick<StoredConnector, 'organizationId' | 'connectorId' | 'updatedAt'>,
  reason: ReconnectReason,
): Promise<'state' | 'reason' | undefined> {
  const row = await oneOrNone<{ news: 'state' | 'reason' | null }>(
    db,
    `UPDATE connectors AS known SET
       next_sync_at = CASE WHEN before.changed AND known.enabled THEN clock_timestamp() END,
       reconnect_reason = CASE WHEN before.changed OR before.code = $3::jsonb->>'code' THEN known.reconnect_reason
         ELSE $3::jsonb END
     FROM (
       SELECT id, reconnect_reason->>'code' AS code, updated_at <> $4 AS changed FROM connectors
       WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
     ) AS before
     WHERE known.id = before.id
     RETURNING CASE WHEN before.changed OR before.code = $3::jsonb->>'code' THEN NULL
       WHEN before.code IS NULL THEN 'state' ELSE 'reason' END AS news`,
    [organizationId, connectorId, JSON.stringify(reason), updatedAt],
  );
  return row?.news ?? undefined;
}

/** Records that the credentials work, which resumes scheduled syncs. @returns whether they did not work before */
export async function clearReconnect(
  db: Queryable,
  { organizationId, connectorId }: Pick<ConnectorTenant, 'organizationId' | 'connectorId'>,
): Promise<boolean> {
  const cleared = await db.execute(
    `UPDATE connectors SET reconnect_reason = NULL, next_sync_at = CASE WHEN enabled THEN clock_timestamp() END
     WHERE organization_id = $1 AND id = $2 AND reconnect_reason IS NOT NULL`,
    [organizationId, connectorId],
  );
  return cleared === 1;
}
