import { oneOrNone, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { IdSlice } from '../../platform/http/pagination.js';
import type { ConnectorTenant } from '../connector.js';
import type { SyncDto } from '../dto/sync.dto.js';
import type { SyncError, SyncTrigger } from './sync-state.js';

const COLUMNS = `id, connector_id, workspace_id, status, trigger, is_full AS "full", error,
  CASE WHEN finished_at IS NULL AND wake_at > clock_timestamp() THEN wake_at END AS waiting_until,
  created_at, started_at, finished_at, json_build_object('pages', pages, 'orders_read', orders_read,
    'orders_changed', orders_changed, 'lines_skipped', lines_skipped, 'products_left_out', products_left_out,
    'orders_set_aside', orders_set_aside) AS progress`;

/** Opens a sync: a full one while everything is to be read again. If one is already open, it then counts as requested by a member. */
export async function openSync(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  id: string,
  trigger: SyncTrigger,
): Promise<void> {
  await db.execute(
    `INSERT INTO connector_syncs
       (organization_id, workspace_id, connector_id, id, status, trigger, is_full, wake_at, created_at)
     SELECT $1, $2, $3, $4, 'queued', $5, cursor ? 'full', clock_timestamp(), clock_timestamp()
     FROM connectors WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
     ON CONFLICT (connector_id) WHERE status IN ('queued', 'running')
       DO UPDATE SET trigger = 'manual' WHERE excluded.trigger = 'manual' AND connector_syncs.trigger <> 'manual'`,
    [organizationId, workspaceId, connectorId, id, trigger],
  );
}

/** Ends the open sync, if any: the process working on it stores nothing more. */
export async function endOpenSync(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  error: SyncError,
): Promise<void> {
  await db.execute(
    `UPDATE connector_syncs SET status = 'failed', error = $4, lease_expires_at = NULL, finished_at = clock_timestamp()
     WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND status IN ('queued', 'running')`,
    [organizationId, workspaceId, connectorId, JSON.stringify(error)],
  );
}

/** The open sync, if any. */
export function findOpenSync(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<SyncDto | undefined> {
  return oneOrNone<SyncDto>(
    db,
    `SELECT ${COLUMNS} FROM connector_syncs
     WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND status IN ('queued', 'running')`,
    [organizationId, workspaceId, connectorId],
  );
}

/** A page of a connector's syncs, newest first. */
export function listSyncs(
  db: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  connectorId: string,
  slice: IdSlice,
): Promise<SyncDto[]> {
  return db.query<SyncDto>(
    `SELECT ${COLUMNS} FROM connector_syncs
     WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND ($4::uuid IS NULL OR id < $4)
     ORDER BY id DESC LIMIT $5`,
    [organizationId, workspaceId, connectorId, slice.after ?? null, slice.limit],
  );
}
