import type { Command } from 'commander';
import { type PlanName, PLANS } from '../../../config/plans.js';
import { changePlan } from '../../access/organizations/plans/change-plan.js';
import { COMMAND_LINE } from '../actor.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { organizationOf } from '../input/lookups.js';
import { ORGANIZATION, planOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';

function listPlansCommand(): Promise<Answer> {
  return Promise.resolve(Object.entries(PLANS).map(([name, limits]) => ({ name, ...limits })));
}

function setPlanCommand(
  { database, organizationMails, now }: AdminContext,
  options: { readonly organization: string; readonly plan: PlanName },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const { id: organizationId } = await organizationOf(tx, options.organization);
    const change = { organizationId, to: options.plan, actor: COMMAND_LINE, now };
    const { locked, unlocked } = await changePlan(tx, organizationMails, change);
    return { organization_id: organizationId, plan: options.plan, keys_locked: locked, keys_unlocked: unlocked };
  });
}

/** `plan`: the plans, and which one an organization is on. */
export function addPlanCommands(program: Command, command: AddCommand): void {
  const plan = program.command('plan').description('manage plans');
  command(plan, 'list', 'list the plans and their limits', listPlansCommand);
  command(plan, 'set', 'change the plan of an organization; locks or unlocks API keys', setPlanCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--plan <plan>', 'the plan', planOption);
}
