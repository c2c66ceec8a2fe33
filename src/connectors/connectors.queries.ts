import { countRows, one, oneOrNone, type Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import type { IdSlice } from '../platform/http/pagination.js';
import type { ConnectorTenant, ShownConnector, StoredConnector } from './connector.js';

/** The columns of a {@link StoredConnector}. */
export const CONNECTOR_COLUMNS = `id AS "connectorId", organization_id AS "organizationId", workspace_id AS "workspaceId", platform, name,
  settings, sealed, time_zone AS "timeZone", counts_from AS "countsFrom", counts_retired AS "countsRetired",
  reading, interval_minutes AS "intervalMinutes", enabled, reconnect_reason AS "reconnectReason", next_sync_at AS "nextSyncAt",
  last_synced_at AS "lastSyncedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** What members see: includes the state of the newest sync and what is left out, which take lookups of their own. */
const SHOWN = `${CONNECTOR_COLUMNS}, (
    SELECT json_build_object('status', status, 'error', error, 'started_at', started_at, 'finished_at', finished_at)
    FROM connector_syncs
    WHERE organization_id = connectors.organization_id AND connector_id = connectors.id ORDER BY connector_syncs.id DESC LIMIT 1
  ) AS "lastSync", (
    SELECT count(*)::int FROM connector_products_left_out
    WHERE organization_id = connectors.organization_id AND workspace_id = connectors.workspace_id AND connector_id = connectors.id
  ) AS "productsLeftOut", (
    SELECT coalesce(json_agg(json_build_object('id', external_id, 'code', code, 'message', message, 'since', since,
      'last_tried_at', tried_at) ORDER BY since, external_id), '[]')
    FROM connector_orders_set_aside
    WHERE organization_id = connectors.organization_id AND workspace_id = connectors.workspace_id AND connector_id = connectors.id
  ) AS "ordersSetAside"`;

export interface NewConnector extends Pick<
  StoredConnector,
  'platform' | 'name' | 'settings' | 'sealed' | 'timeZone' | 'countsFrom' | 'intervalMinutes' | 'enabled'
> {
  readonly id: string;
  readonly account: string;
}

/** @returns undefined if the workspace already has a connector to the account */
export function insertConnector(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connector: NewConnector,
  now: Date,
): Promise<ShownConnector | undefined> {
  return oneOrNone<ShownConnector>(
    db,
    `INSERT INTO connectors (organization_id, workspace_id, id, platform, name, settings, sealed, time_zone, counts_from,
       interval_minutes, enabled, next_sync_at, created_at, updated_at, account)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $11 THEN clock_timestamp() END, $12, $12, $13)
     ON CONFLICT (workspace_id, platform, account) DO NOTHING RETURNING ${SHOWN}`,
    [
      organizationId,
      workspaceId,
      connector.id,
      connector.platform,
      connector.name,
      JSON.stringify(connector.settings),
      connector.sealed,
      connector.timeZone,
      connector.countsFrom,
      connector.intervalMinutes,
      connector.enabled,
      now,
      connector.account,
    ],
  );
}

export function countConnectors(db: Queryable, { organizationId, workspaceId }: WorkspaceTenant): Promise<number> {
  const connectors = 'SELECT FROM connectors WHERE organization_id = $1 AND workspace_id = $2';
  return countRows(db, connectors, [organizationId, workspaceId]);
}

/** A page of connectors, newest first. */
export function listConnectors(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  slice: IdSlice,
): Promise<ShownConnector[]> {
  return db.query<ShownConnector>(
    `SELECT ${SHOWN} FROM connectors
     WHERE organization_id = $1 AND workspace_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
    [organizationId, workspaceId, slice.after ?? null, slice.limit],
  );
}

/** @param lock `lock` prevents changes and removal until the transaction ends; orders may still reference the connector */
export function findConnector(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connectorId: string,
  lock: 'lock' | 'read' = 'read',
): Promise<StoredConnector | undefined> {
  return oneOrNone<StoredConnector>(
    db,
    `SELECT ${CONNECTOR_COLUMNS} FROM connectors WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
     ${lock === 'lock' ? 'FOR NO KEY UPDATE' : ''}`,
    [organizationId, workspaceId, connectorId],
  );
}

export function findShownConnector(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connectorId: string,
): Promise<ShownConnector | undefined> {
  return oneOrNone<ShownConnector>(
    db,
    `SELECT ${SHOWN} FROM connectors WHERE organization_id = $1 AND workspace_id = $2 AND id = $3`,
    [organizationId, workspaceId, connectorId],
  );
}

/** A connector of any tenant: webhooks identify it and are verified with its secret. */
export function findConnectorOfAnyone(db: Queryable, connectorId: string): Promise<StoredConnector | undefined> {
  return oneOrNone<StoredConnector>(db, `SELECT ${CONNECTOR_COLUMNS} FROM connectors WHERE id = $1`, [connectorId]);
}

export interface ConnectorChange {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly sealed: Buffer;
  readonly intervalMinutes: number;
  readonly enabled: boolean;
  /** Whether to sync immediately: after new credentials, or when enabled again. */
  readonly syncNow: boolean;
}

/** The latest time for the next sync under the new interval $7. */
const LATEST_OF_NEW_INTERVAL = 'clock_timestamp() + make_interval(mins => $7)';

export function updateConnector(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  change: ConnectorChange,
  now: Date,
): Promise<ShownConnector> {
  return one<ShownConnector>(
    db,
    `UPDATE connectors SET name = $4, settings = $5, sealed = $6, interval_minutes = $7, enabled = $8, updated_at = $10,
       next_sync_at = CASE WHEN NOT $8 THEN NULL WHEN $9 THEN clock_timestamp()
         WHEN next_sync_at > ${LATEST_OF_NEW_INTERVAL} THEN ${LATEST_OF_NEW_INTERVAL} ELSE next_sync_at END
     WHERE organization_id = $1 AND workspace_id = $2 AND id = $3 RETURNING ${SHOWN}`,
    [
      organizationId,
      workspaceId,
      connectorId,
      change.name,
      JSON.stringify(change.settings),
      change.sealed,
      change.intervalMinutes,
      change.enabled,
      change.syncNow,
      now,
    ],
  );
}

/** Makes the next sync read everything again: like the first one, but keeping the orders dated ahead that are yet to be counted. */
export async function restartReading(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<void> {
  await tx.execute(
    `UPDATE connectors SET reading = reading + 1,
       cursor = jsonb_strip_nulls(jsonb_build_object('full', true, 'countedTo', cursor->'countedTo'))
     WHERE organization_id = $1 AND workspace_id = $2 AND id = $3`,
    [organizationId, workspaceId, connectorId],
  );
}

export async function deleteConnector(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connectorId: string,
): Promise<void> {
  await db.execute(`DELETE FROM connectors WHERE organization_id = $1 AND workspace_id = $2 AND id = $3`, [
    organizationId,
    workspaceId,
    connectorId,
  ]);
}
