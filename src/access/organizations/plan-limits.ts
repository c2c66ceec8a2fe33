import { PLANS, type PlanLimits, type PlanName } from '../../../config/plans.js';
import { counted } from '../../platform/counted.js';
import { Problem } from '../../platform/http/problem.js';

/** What a plan limits, with the noun for one of it. */
const NOUNS = { workspaces: 'workspace', members: 'member', api_keys: 'API key' } as const;
export type Counted = keyof typeof NOUNS;

/**
 * Refuses one more of something than the plan allows. Count under {@link lockOrganization}, or two at once pass together.
 * @param which of them, where the plan limits these by the same number
 * @throws {Problem} 409 `plan_limit_reached` with `limit` and `used`
 */
export function requireRoom(plan: PlanName, what: Counted, used: number, which = ''): void {
  const limits: PlanLimits = PLANS[plan];
  if (used < limits[what]) return;
  throw new Problem(
    409,
    'plan_limit_reached',
    `The plan ${plan} allows ${counted(limits[what], NOUNS[what])}${which}.`,
    {
      members: { limit: limits[what], used },
    },
  );
}
