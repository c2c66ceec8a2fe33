import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import type { StockTargetFields } from './stock-target-fields.js';

/** The columns of a stock target. */
export const TARGET_COLUMNS = 'lead_time_months, lead_time_sd_months, target_service_level';

/**
 * Counts a change of a stock target, of the category or unit by which totals are formed, or of the series in them, so that what is
 * stored for the feed is computed anew. The caller holds the workspace lock.
 */
export async function countTargetChange(tx: Queryable, tenant: WorkspaceTenant): Promise<void> {
  await tx.execute(
    `UPDATE workspaces SET stock_target_version = stock_target_version + 1 WHERE organization_id = $1 AND id = $2`,
    [tenant.organizationId, tenant.workspaceId],
  );
}

/** The stock targets of series of a workspace, by id. */
export async function readStockTargets(
  db: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, StockTargetFields>> {
  const rows = await db.query<StockTargetFields & { id: string }>(
    `SELECT id, ${TARGET_COLUMNS} FROM series WHERE organization_id = $1 AND workspace_id = $2 AND id = ANY ($3::uuid[])`,
    [tenant.organizationId, tenant.workspaceId, seriesIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
