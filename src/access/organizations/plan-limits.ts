import { PLANS, type PlanLimits, type PlanName } from '../../../config/plans.js';
import { Problem } from '../../platform/http/problem.js';

export type Counted = 'workspaces' | 'members' | 'api_keys';

/**
 * Refuses one more of something than the plan allows. Count under {@link lockOrganization}, or two at once pass together.
 * @throws {Problem} 409 `plan_limit_reached` with `limit` and `used`
 */
export function requireRoom(plan: PlanName, what: Counted, used: number): void {
  const limits: PlanLimits = PLANS[plan];
  if (used < limits[what]) return;
  throw new Problem(409, 'plan_limit_reached', `The plan ${plan} allows ${limits[what]} ${what.replace('_', ' ')}.`, {
    members: { limit: limits[what], used },
  });
}
