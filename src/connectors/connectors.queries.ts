import { only, type Queryable } from '../platform/database/database.js';
import { isOver } from '../platform/database/is-over.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import type { IdSlice } from '../platform/http/pagination.js';
import type { ConnectorTenant, ReconnectReason, ShownConnector, StoredConnector } from './connector.js';

const COLUMNS = `id AS "connectorId", organization_id AS "organizationId", workspace_id AS "workspaceId", platform, name,
  settings, sealed, time_zone AS "timeZone", counts_from AS "countsFrom", counts_retired AS "countsRetired",
  reading, interval_minutes AS "intervalMinutes", enabled, reconnect_reason AS "reconnectReason", next_sync_at AS "nextSyncAt",
  last_synced_at AS "lastSyncedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** What members are shown: with how the newest sync stands, which costs a look-up of its own. */
const SHOWN = `${COLUMNS}, (
    SELECT json_build_object('status', status, 'error', error, 'started_at', started_at, 'finished_at', finished_at)
    FROM connector_syncs
    WHERE organization_id = connectors.organization_id AND connector_id = connectors.id ORDER BY connector_syncs.id DESC LIMIT 1
  ) AS "lastSync"`;

export interface NewConnector extends Pick<
  StoredConnector,
  'platform' | 'name' | 'settings' | 'sealed' | 'timeZone' | 'countsFrom' | 'intervalMinutes' | 'enabled'
> {
  readonly id: string;
  readonly account: string;
}

/** @returns undefined where the workspace has a connector to the account */
export async function insertConnector(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connector: NewConnector,
  now: Date,
): Promise<ShownConnector | undefined> {
  const [row] = await db.query<ShownConnector>(
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
  return row;
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

/** @param lock `lock` prevents changes and removal until the transaction ends; orders may still refer to the connector */
export async function findConnector(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connectorId: string,
  lock: 'lock' | 'read' = 'read',
): Promise<StoredConnector | undefined> {
  const [row] = await db.query<StoredConnector>(
    `SELECT ${COLUMNS} FROM connectors WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
     ${lock === 'lock' ? 'FOR NO KEY UPDATE' : ''}`,
    [organizationId, workspaceId, connectorId],
  );
  return row;
}

export async function findShownConnector(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connectorId: string,
): Promise<ShownConnector | undefined> {
  const [row] = await db.query<ShownConnector>(
    `SELECT ${SHOWN} FROM connectors WHERE organization_id = $1 AND workspace_id = $2 AND id = $3`,
    [organizationId, workspaceId, connectorId],
  );
  return row;
}

/** A connector of any tenant: webhooks name it and are verified by its secret. */
export async function findConnectorOfAnyone(db: Queryable, connectorId: string): Promise<StoredConnector | undefined> {
  const [row] = await db.query<StoredConnector>(`SELECT ${COLUMNS} FROM connectors WHERE id = $1`, [connectorId]);
  return row;
}

export interface ConnectorChange {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly sealed: Buffer;
  readonly intervalMinutes: number;
  readonly enabled: boolean;
  /** Whether to sync at once: after new credentials, or when switched on again. */
  readonly syncNow: boolean;
}

/** The latest time for the next sync by the new interval $7. */
const LATEST_OF_NEW_INTERVAL = 'clock_timestamp() + make_interval(mins => $7)';

export async function updateConnector(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  change: ConnectorChange,
  now: Date,
): Promise<ShownConnector> {
  const rows = await db.query<ShownConnector>(
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
  return only(rows);
}

/** Has the next sync read everything again: as the first one did, but for the orders dated ahead that are yet to be counted. */
export async function beginReading(
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

/** A connector whose tokens only this process may renew until `renewingUntil` (as text with all digits, to compare it exactly). */
export interface LeasedRenewal extends StoredConnector {
  readonly renewingUntil: string;
}

/**
 * Leases the renewal of a connector's tokens to this process. Undefined while another has the lease, or where the connector is gone.
 */
export async function leaseRenewal(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  leaseMs: number,
): Promise<LeasedRenewal | undefined> {
  const [row] = await db.query<LeasedRenewal>(
    `UPDATE connectors SET renewing_until = clock_timestamp() + $4 * interval '1 millisecond'
     WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
       AND (renewing_until IS NULL OR ${isOver('renewing_until', "$4 * interval '1 millisecond'")})
     RETURNING ${COLUMNS}, renewing_until::text AS "renewingUntil"`,
    [organizationId, workspaceId, connectorId, leaseMs],
  );
  return row;
}

/** Releases the lease, unless another process has it by now. */
export async function releaseRenewal(
  db: Queryable,
  { organizationId, connectorId, renewingUntil }: LeasedRenewal,
): Promise<void> {
  await db.execute(
    `UPDATE connectors SET renewing_until = NULL WHERE organization_id = $1 AND id = $2 AND renewing_until = $3`,
    [organizationId, connectorId, renewingUntil],
  );
}

/** Stores refreshed tokens. */
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

/**
 * Records that the credentials do not work, which stops scheduled syncs. Where a member has changed the connector since they were
 * read, the new credentials are tried instead.
 * @returns `state` where they worked before, `reason` where only the reason has changed; undefined where nothing is new
 */
export async function noteReconnect(
  db: Queryable,
  { organizationId, connectorId, updatedAt }: Pick<StoredConnector, 'organizationId' | 'connectorId' | 'updatedAt'>,
  reason: ReconnectReason,
): Promise<'state' | 'reason' | undefined> {
  const [row] = await db.query<{ news: 'state' | 'reason' | null }>(
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
