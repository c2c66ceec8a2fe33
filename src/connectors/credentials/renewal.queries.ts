import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import { isOver } from '../../platform/database/is-over.js';
import type { ConnectorTenant, StoredConnector } from '../connector.js';
import { CONNECTOR_COLUMNS } from '../connectors.queries.js';

/** A connector whose tokens only this process may renew until `renewingUntil` (as text with all digits, for exact comparison). */
export interface LeasedRenewal extends StoredConnector {
  readonly renewingUntil: string;
}

/**
 * Leases the renewal of a connector's tokens to this process. Undefined while another has the lease, or if the connector no longer exists.
 */
export function leaseRenewal(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  leaseMs: number,
): Promise<LeasedRenewal | undefined> {
  return oneOrNone<LeasedRenewal>(
    db,
    `UPDATE connectors SET renewing_until = clock_timestamp() + $4 * interval '1 millisecond'
     WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
       AND (renewing_until IS NULL OR ${isOver('renewing_until', "$4 * interval '1 millisecond'")})
     RETURNING ${CONNECTOR_COLUMNS}, renewing_until::text AS "renewingUntil"`,
    [organizationId, workspaceId, connectorId, leaseMs],
  );
}

/** Releases the lease, unless another process has acquired it in the meantime. */
export async function releaseRenewal(
  db: Queryable,
  { organizationId, connectorId, renewingUntil }: LeasedRenewal,
): Promise<void> {
  await db.execute(
    `UPDATE connectors SET renewing_until = NULL WHERE organization_id = $1 AND id = $2 AND renewing_until = $3`,
    [organizationId, connectorId, renewingUntil],
  );
}

/** Stores renewed tokens. */
export async function saveSealed(
  db: Queryable,
  { organizationId, connectorId }: StoredConnector,
  sealed: Buffer,
): Promise<void> {
  await db.execute(`UPDATE connectors SET sealed = $3 WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    connectorId,
    sealed,
  ]);
}
