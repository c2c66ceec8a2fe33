import type { PlanName } from '../../config/plans.js';
import { OrganizationMails } from '../../src/access/index.js';
import { changePlan } from '../../src/access/organizations/plans/change-plan.js';
import { COMMAND_LINE } from '../../src/cli/actor.js';
import type { TestService } from './test-service.js';

/** Moves an organization to a plan, as the command line does while the service is running. */
export function moveToPlan(
  { app, database }: TestService,
  organizationId: string,
  to: PlanName,
  now = new Date(),
): Promise<{ locked: number; unlocked: number }> {
  const change = { organizationId, to, actor: COMMAND_LINE, now };
  return database.transaction((tx) => changePlan(tx, app.get(OrganizationMails), change));
}
