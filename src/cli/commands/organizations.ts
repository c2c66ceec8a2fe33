import type { Command } from 'commander';
import { type PlanName, PLANS } from '../../../config/plans.js';
import { COMMAND_LINE } from '../actor.js';
import { changeBetween } from '../../access/audit/change.js';
import { changePlan } from '../../access/organizations/change-plan.js';
import { changeDeletion } from '../../access/organizations/deletion.js';
import {
  listOrganizations,
  type OrganizationRow,
  setOrganizationAllowlist,
} from '../../access/organizations/organizations.queries.js';
import { changeSuspension } from '../../access/organizations/suspension.js';
import {
  findStripeCustomer,
  listUnreportedRuns,
  SETTLEMENTS,
  type Settlement,
  settleUnreported,
  setStripeCustomer,
} from '../../usage/metering/meter-events.queries.js';
import { listMonthlyRuns } from '../../usage/usage.queries.js';
import { auditCommand } from '../audit.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import {
  idOption,
  monthOption,
  nameOption,
  oneOf,
  ORGANIZATION,
  organizationOf,
  planOption,
  rangeOption,
  stripeCustomerOption,
} from '../input.js';
import type { Answer } from '../output.js';
import { UsageError } from '../usage-error.js';
import { ensureOrganization, ensureWorkspace } from './ensure.js';

const show = (organization: OrganizationRow) => ({
  id: organization.id,
  name: organization.name,
  plan: organization.plan,
  suspended_at: organization.suspended_at,
  ip_allowlist: organization.ip_allowlist,
  delete_after: organization.delete_after,
  created_at: organization.created_at,
});

async function listOrganizationsCommand({ database }: AdminContext): Promise<Answer> {
  return (await listOrganizations(database)).map(show);
}

function createOrganizationCommand(
  { database, now }: AdminContext,
  options: { readonly name: string; readonly plan: PlanName },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const { organization, created } = await ensureOrganization(tx, options.name, options.plan, now);
    return { ...show(organization), created };
  });
}

function addWorkspaceCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly name: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const { workspace, created } = await ensureWorkspace(tx, organization.id, options.name, now);
    return { organization_id: organization.id, workspace_id: workspace.id, name: workspace.name, created };
  });
}

function suspendCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly suspended: boolean; readonly reason: string | null },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const { suspended, reason } = options;
    await changeSuspension(tx, organization, { suspended, reason, actor: COMMAND_LINE, now });
    return show(await organizationOf(tx, organization.id));
  });
}

/** As its owner does: for one that has none who can, or that is suspended. */
function deletionCommand(
  { database, organizationMails, now }: AdminContext,
  { organization, deleted }: { readonly organization: string; readonly deleted: boolean },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const { id: organizationId } = await organizationOf(tx, organization);
    return show(await changeDeletion(tx, organizationMails, { organizationId, deleted, actor: COMMAND_LINE, now }));
  });
}

function allowlistCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly allow: readonly string[] },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const details = changeBetween(organization, { ip_allowlist: [...options.allow] });
    if (details === undefined) return show(organization);
    await setOrganizationAllowlist(tx, organization.id, options.allow);
    await auditCommand(tx, {
      organizationId: organization.id,
      action: 'organization.allowlist_changed',
      target: { kind: 'organization', id: organization.id },
      details,
      occurredAt: now,
    });
    return show(await organizationOf(tx, organization.id));
  });
}

function listPlansCommand(): Promise<Answer> {
  return Promise.resolve(Object.entries(PLANS).map(([name, limits]) => ({ name, ...limits })));
}

function setPlanCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly plan: PlanName },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const change = { organizationId: organization.id, to: options.plan, actor: COMMAND_LINE, now };
    const keys = await changePlan(tx, change);
    return {
      organization_id: organization.id,
      plan: options.plan,
      keys_locked: keys.locked,
      keys_unlocked: keys.unlocked,
    };
  });
}

/** Names the Stripe customer that overage of the organization is billed to. */
function setBillingCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly stripeCustomer: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const wanted = { stripe_customer: options.stripeCustomer };
    const details = changeBetween({ stripe_customer: await findStripeCustomer(tx, organization.id) }, wanted);
    if (details !== undefined) {
      await setStripeCustomer(tx, organization.id, options.stripeCustomer);
      await auditCommand(tx, {
        organizationId: organization.id,
        action: 'billing.changed',
        target: { kind: 'organization', id: organization.id },
        details,
        occurredAt: now,
      });
    }
    return { organization_id: organization.id, ...wanted };
  });
}

/** Runs by month, those within the quota of the plan at its end and those beyond it. */
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

/** Runs beyond the quota that are not billed yet, or never will be unless by other means, with the reason. */
async function listUnreportedCommand(
  { database }: AdminContext,
  { organization }: { readonly organization?: string },
): Promise<Answer> {
  return listUnreportedRuns(
    database,
    organization === undefined ? undefined : (await organizationOf(database, organization)).id,
  );
}

/** Puts on record what the metering service has of a run that was not reported: only an operator can look. */
function settleRunCommand(
  { database, now }: AdminContext,
  { run, as }: { readonly run: string; readonly as: Settlement },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const settled = await settleUnreported(tx, run, as);
    if (!settled) throw new UsageError(`no run ${run} waits to be billed; see org unreported`);
    const { organization_id, status: was } = settled;
    await auditCommand(tx, {
      organizationId: organization_id,
      action: 'run.billing_settled',
      target: { kind: 'run', id: run },
      details: { as, was },
      occurredAt: now,
    });
    return { organization_id, run_id: run, as, was };
  });
}

/** `org`: organizations and what holds for all calls of one. */
export function addOrganizationCommands(program: Command, command: AddCommand): void {
  const org = program.command('org').description('organizations');
  command(org, 'list', 'all organizations', listOrganizationsCommand);
  command(org, 'create', 'make an organization', createOrganizationCommand)
    .requiredOption('--name <name>', 'its name', nameOption('--name'))
    .requiredOption('--plan <plan>', 'its plan', planOption);
  command(org, 'add-workspace', 'make a workspace', addWorkspaceCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--name <name>', 'name of the workspace', nameOption('--name'));
  command<{ organization: string; reason?: string }>(
    org,
    'suspend',
    'refuse all calls of an organization',
    (context, { organization, reason }) =>
      suspendCommand(context, { organization, suspended: true, reason: reason ?? null }),
  )
    .requiredOption(...ORGANIZATION)
    .option('--reason <text>', 'why', nameOption('--reason', 500));
  command<{ organization: string }>(org, 'resume', 'lift the suspension', (context, { organization }) =>
    suspendCommand(context, { organization, suspended: false, reason: null }),
  ).requiredOption(...ORGANIZATION);
  command<{ organization: string }>(
    org,
    'delete',
    'ask for the deletion of an organization, in 30 days; its keys are refused from now on',
    (context, { organization }) => deletionCommand(context, { organization, deleted: true }),
  ).requiredOption(...ORGANIZATION);
  command<{ organization: string }>(org, 'restore', 'take that back', (context, { organization }) =>
    deletionCommand(context, { organization, deleted: false }),
  ).requiredOption(...ORGANIZATION);
  command<{ organization: string; allow?: readonly string[] }>(
    org,
    'allowlist',
    'set the addresses that may call; none given: any',
    (context, { organization, allow }) => allowlistCommand(context, { organization, allow: allow ?? [] }),
  )
    .requiredOption(...ORGANIZATION)
    .option('--allow <address or CIDR>', 'may be given several times', rangeOption);

  command(org, 'usage', 'runs by month, within the quota and beyond it', listUsageCommand)
    .option('--organization <id or name>', 'only of this organization')
    .option('--month <month>', 'only of this month (UTC), for example 2026-09', monthOption);
  command(
    org,
    'unreported',
    'runs beyond the quota that the metering service has not taken',
    listUnreportedCommand,
  ).option('--organization <id or name>', 'only of this organization');
  command(
    org,
    'settle',
    'tell whether a run of org unreported was billed after all, or is to be sent again',
    settleRunCommand,
  )
    .requiredOption('--run <id>', 'the run', idOption('--run'))
    .requiredOption('--as <what>', 'billed: it is billed, or was otherwise; lost: it never arrived', (text) =>
      oneOf('--as', text, SETTLEMENTS),
    );
  command(org, 'billing', 'name the Stripe customer that overage is billed to', setBillingCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--stripe-customer <id>', 'for example cus_123', stripeCustomerOption);
}

/** `plan`: the plans, and which one an organization is on. */
export function addPlanCommands(program: Command, command: AddCommand): void {
  const plan = program.command('plan').description('plans');
  command(plan, 'list', 'the plans and their limits', listPlansCommand);
  command(plan, 'set', 'change the plan of an organization; locks or unlocks keys', setPlanCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--plan <plan>', 'the plan', planOption);
}
