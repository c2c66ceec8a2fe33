import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import type { StockTargetFields } from './stock-target-fields.js';

/** The columns of a stock target. */
export const TARGET_COLUMNS = 'lead_time_months, lead_time_sd_months, target_service_level';

/** Counts a change of a stock target, so that stored safety stock is computed anew. The caller holds the workspace lock. */
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

/** Sets the given members of a series' stock target; null removes one. The caller holds the workspace lock. @returns whether that changed anything */
export async function editStockTarget(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  target: StockTargetFields,
  now: Date,
): Promise<boolean> {
  const changed = `CASE WHEN $4 THEN $5::float8 ELSE lead_time_months END, CASE WHEN $6 THEN $7::float8 ELSE lead_time_sd_months END,
    CASE WHEN $8 THEN $9::float8 ELSE target_service_level END`;
  const edited = await tx.execute(
    `UPDATE series SET (${TARGET_COLUMNS}, updated_at) = ROW (${changed}, $10)
      WHERE organization_id = $1 AND workspace_id = $2 AND id = $3 AND (${TARGET_COLUMNS}) IS DISTINCT FROM ROW (${changed})`,
    [
      tenant.organizationId,
      tenant.workspaceId,
      seriesId,
      ...[target.lead_time_months, target.lead_time_sd_months, target.target_service_level].flatMap((value) => [
        value !== undefined,
        value ?? null,
      ]),
      now,
    ],
  );
  if (edited === 1) await countTargetChange(tx, tenant);
  return edited === 1;
}
