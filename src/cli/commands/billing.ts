import type { Command } from 'commander';
import { PLANS } from '../../../config/plans.js';
import { recordAudit } from '../../access/audit/audit-log.js';
import { changeBetween } from '../../access/audit/change.js';
import {
  findStripeCustomer,
  listUnreportedRuns,
  SETTLEMENTS,
  type Settlement,
  settleUnreported,
  setStripeCustomer,
} from '../../usage/metering/meter-events.queries.js';
import { listMonthlyRuns } from '../../usage/usage.queries.js';
import { COMMAND_LINE } from '../actor.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { lockedOrganizationOf, organizationOf } from '../input/lookups.js';
import { idOption, monthOption, oneOfOption, ORGANIZATION, stripeCustomerOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';
import { UsageError } from '../input/usage-error.js';

/** Sets the Stripe customer to whom the organization's overage is billed. */
function setBillingCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly stripeCustomer: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await lockedOrganizationOf(tx, options.organization);
    const wanted = { stripe_customer: options.stripeCustomer };
    const details = changeBetween({ stripe_customer: await findStripeCustomer(tx, organization.id) }, wanted);
    if (details !== undefined) {
      await setStripeCustomer(tx, organization.id, options.stripeCustomer);
      await recordAudit(tx, {
        organizationId: organization.id,
        actor: COMMAND_LINE,
        action: 'billing.changed',
        target: { kind: 'organization', id: organization.id },
        details,
        now,
      });
    }
    return { organization_id: organization.id, ...wanted };
  });
}

/** Runs by month, within and beyond the quota of the plan at the end of the month. */
async function listUsageCommand(
  { database }: AdminContext,
  { organization, month }: { readonly organization?: string; readonly month?: string },
): Promise<Answer> {
  const organizationId = organization === undefined ? undefined : (await organizationOf(database, organization)).id;
  const runs = await listMonthlyRuns(database, { organizationId, month });
  return runs.map(({ plan, used, overage, ...of }) => ({
    ...of,
    plan,
    quota: PLANS[plan].monthly_runs,
    used,
    overage,
  }));
}

/** Runs beyond the quota that have not been billed yet, or never will be unless by other means, with the reason. */
async function listUnreportedCommand(
  { database }: AdminContext,
  { organization }: { readonly organization?: string },
): Promise<Answer> {
  return listUnreportedRuns(
    database,
    organization === undefined ? undefined : (await organizationOf(database, organization)).id,
  );
}

/** Records what the metering service knows about a run that was not reported: only an operator can look. */
function settleRunCommand(
  { database, now }: AdminContext,
  { run, as }: { readonly run: string; readonly as: Settlement },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const settled = await settleUnreported(tx, run, as);
    if (!settled) throw new UsageError(`no run ${run} is waiting to be billed; see org unreported`);
    const { organization_id, status: was } = settled;
    await recordAudit(tx, {
      organizationId: organization_id,
      actor: COMMAND_LINE,
      action: 'run.billing_settled',
      target: { kind: 'run', id: run },
      details: { as, was },
      now,
    });
    return { organization_id, run_id: run, as, was };
  });
}

/** Part of `org`: an organization's runs, and who pays for them. */
export function addBillingCommands(org: Command, command: AddCommand): void {
  command(org, 'usage', 'list runs by month, within and beyond the quota', listUsageCommand)
    .option('--organization <id or name>', 'only this organization')
    .option('--month <month>', 'only this month (UTC), for example 2026-09', monthOption);
  command(
    org,
    'unreported',
    'list runs beyond the quota that the metering service has not accepted',
    listUnreportedCommand,
  ).option('--organization <id or name>', 'only this organization');
  command(
    org,
    'settle',
    'settle a run listed by org unreported: it was billed after all, or must be sent again',
    settleRunCommand,
  )
    .requiredOption('--run <id>', 'id of the run', idOption('--run'))
    .requiredOption(
      '--as <what>',
      'billed: it was billed, here or in another way; lost: it never arrived and is sent again',
      oneOfOption('--as', SETTLEMENTS),
    );
  command(org, 'billing', 'set the Stripe customer that overage is billed to', setBillingCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--stripe-customer <id>', 'for example cus_123', stripeCustomerOption);
}
