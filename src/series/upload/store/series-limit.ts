import type { PlanName } from '../../../../config/plans.js';
import { requireRoom } from '../../../access/index.js';
import { one, type Queryable } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';

/** The plan of a workspace and how many series it has. */
interface SeriesUse {
  readonly plan: PlanName;
  readonly series: number;
}

/**
 * How much of the plan's series the workspace uses. The plan bounds them, which bounds what runs write: no organization may fill the disk
 * that all share.
 * @param tx has locked the workspace
 */
export function readSeriesUse(tx: Queryable, tenant: WorkspaceTenant): Promise<SeriesUse> {
  return one<SeriesUse>(
    tx,
    `SELECT plan, (SELECT count(*)::int FROM series WHERE organization_id = $1 AND workspace_id = $2) AS series
       FROM organizations WHERE id = $1`,
    [tenant.organizationId, tenant.workspaceId],
  );
}

/**
 * Rejects an upload that creates more series than the plan allows. Call it once they are stored, with the workspace locked.
 * @param created the number of series created by the upload
 * @throws {Problem} 409 `plan_limit_reached` with `limit` and `used`
 */
export async function requireRoomForSeries(tx: Queryable, tenant: WorkspaceTenant, created: number): Promise<void> {
  if (created === 0) return;
  const { plan, series } = await readSeriesUse(tx, tenant);
  const used = series - created;
  const [had, more] = [used, created].map((count) => count.toLocaleString('en-US'));
  requireRoom(plan, 'workspace_series', used, `; this workspace has ${had}, and the upload would add ${more}`, created);
}
