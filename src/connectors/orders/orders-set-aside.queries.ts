import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { ConnectorTenant } from '../connector.js';

/** Orders of a connector that are set aside at most: if more cannot be read, it is not due to the orders. */
const MAX_SET_ASIDE = 100;

/** Why an order cannot be read. */
export interface UnreadableOrder {
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

export interface OrderSetAside extends UnreadableOrder {
  /** Whether it has not been tried since the sync began. */
  readonly due: boolean;
}

/** What has become of an order that cannot be read. */
export interface SetAside {
  /** Whether it was not set aside before. */
  readonly isNew: boolean;
}

/** The orders that are set aside, beginning with those that have not been tried for the longest time. */
export function listSetAside(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  syncId: string,
): Promise<OrderSetAside[]> {
  return db.query<OrderSetAside>(
    `SELECT external_id AS id, code, message, tried_at < sync.started_at AS due
     FROM connector_orders_set_aside AS aside
     JOIN connector_syncs AS sync ON sync.organization_id = $1 AND sync.workspace_id = $2 AND sync.id = $4
     WHERE aside.organization_id = $1 AND aside.workspace_id = $2 AND aside.connector_id = $3
     ORDER BY tried_at, external_id`,
    [organizationId, workspaceId, connectorId, syncId],
  );
}

/**
 * Notes that an order cannot be read, for the first time or again.
 * @param tx has locked the connector
 * @returns undefined if it is not set aside, because the maximum is reached
 */
export function upsertSetAside(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  { id, code, message }: UnreadableOrder,
): Promise<SetAside | undefined> {
  return oneOrNone<SetAside>(
    tx,
    `INSERT INTO connector_orders_set_aside AS known
       (organization_id, workspace_id, connector_id, external_id, code, message, since, tried_at)
     SELECT $1, $2, $3, $4, $5, $6, statement_timestamp(), statement_timestamp()
     WHERE (
       SELECT count(*) FROM connector_orders_set_aside
       WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND external_id <> $4
     ) < $7
     ON CONFLICT (connector_id, external_id)
       DO UPDATE SET code = excluded.code, message = excluded.message, tried_at = excluded.tried_at
     RETURNING since = tried_at AS "isNew"`,
    [organizationId, workspaceId, connectorId, id, code, message, MAX_SET_ASIDE],
  );
}

/** An order that was read by the sync is no longer set aside, unless it could not be read again since. */
export async function deleteSetAside(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  id: string,
  syncId: string,
): Promise<void> {
  await tx.execute(
    `DELETE FROM connector_orders_set_aside AS aside USING connector_syncs AS sync
     WHERE aside.organization_id = $1 AND aside.workspace_id = $2 AND aside.connector_id = $3 AND aside.external_id = $4
       AND sync.organization_id = $1 AND sync.workspace_id = $2 AND sync.id = $5 AND aside.tried_at < sync.started_at`,
    [organizationId, workspaceId, connectorId, id, syncId],
  );
}
