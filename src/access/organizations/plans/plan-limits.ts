import { PLANS, type PlanLimits, type PlanName } from '../../../../config/plans.js';
import { counted } from '../../../platform/counted.js';
import { Problem } from '../../../platform/http/problem.js';

type Limited = 'workspaces' | 'workspace_series' | 'members' | 'api_keys';

/** What a plan limits, in the singular and the plural. */
const NOUNS: Readonly<Record<Limited, readonly [one: string, many: string]>> = {
  workspaces: ['workspace', 'workspaces'],
  workspace_series: ['series per workspace', 'series per workspace'],
  members: ['member', 'members'],
  api_keys: ['API key', 'API keys'],
};

/**
 * Refuses to exceed a limit of the plan. Count under a lock, that of the organization or for series that of the workspace, or two
 * concurrent requests pass together.
 * @param which qualifies the noun in the message, such as `, including open invitations`
 * @param more how many are to be added
 * @throws {Problem} 409 `plan_limit_reached` with `limit` and `used`
 */
export function requireRoom(plan: PlanName, what: Limited, used: number, which = '', more = 1): void {
  const limits: PlanLimits = PLANS[plan];
  const limit = limits[what];
  if (used + more <= limit) return;
  throw new Problem(409, 'plan_limit_reached', `The ${plan} plan allows ${counted(limit, ...NOUNS[what])}${which}.`, {
    members: { limit, used },
  });
}
