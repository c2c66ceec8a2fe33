import { one, type Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';

/**
 * Counts a change of the workspace's demand or series, so that a scheduled run can tell whether there was any. Call it where rows were
 * written; the caller holds the workspace lock.
 */
export async function countDemandChange(tx: Queryable, tenant: WorkspaceTenant): Promise<void> {
  await tx.execute(`UPDATE workspaces SET demand_version = demand_version + 1 WHERE organization_id = $1 AND id = $2`, [
    tenant.organizationId,
    tenant.workspaceId,
  ]);
}

/** The number of changes of the workspace's demand and series so far. */
export async function demandVersion(db: Queryable, tenant: WorkspaceTenant): Promise<number> {
  const { version } = await one<{ version: number }>(
    db,
    'SELECT demand_version AS version FROM workspaces WHERE organization_id = $1 AND id = $2',
    [tenant.organizationId, tenant.workspaceId],
  );
  return version;
}
