import { PLANS, type PlanName } from '../../../config/plans.js';
import { only, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';

/**
 * Rejects an upload that creates more series than the plan allows, which bounds what its runs write: no organization may fill the disk that
 * all share. Call it once they are stored, with the workspace locked.
 * @param created the number of series created by the upload
 * @throws {Problem} 409 `plan_limit_reached` with `limit` and `used`
 */
export async function requireRoomForSeries(tx: Queryable, tenant: WorkspaceTenant, created: number): Promise<void> {
  if (created === 0) return;
  const { plan, series } = only(
    await tx.query<{ plan: PlanName; series: number }>(
      `SELECT plan, (SELECT count(*)::int FROM series WHERE organization_id = $1 AND workspace_id = $2) AS series
       FROM organizations WHERE id = $1`,
      [tenant.organizationId, tenant.workspaceId],
    ),
  );
  const { workspace_series: limit } = PLANS[plan];
  if (series <= limit) return;
  const used = series - created;
  const [allowed, had, more] = [limit, used, created].map((count) => count.toLocaleString('en-US'));
  throw new Problem(
    409,
    'plan_limit_reached',
    `The ${plan} plan allows ${allowed} series per workspace. This workspace has ${had}, and the upload would add ${more}.`,
    { members: { limit, used } },
  );
}
