import { PLANS, type PlanLimits, type PlanName } from '../../../config/plans.js';
import { counted } from '../../platform/counted.js';
import { Problem } from '../../platform/http/problem.js';

/** What a plan limits, with its singular noun. */
const NOUNS = { workspaces: 'workspace', members: 'member', api_keys: 'API key' } as const;
export type Counted = keyof typeof NOUNS;

/**
 * Refuses to exceed a limit of the plan. Count under {@link lockOrganization}, or two concurrent requests pass together.
 * @param which qualifies the noun in the message, such as `, including open invitations`
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
