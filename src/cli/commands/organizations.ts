import type { PlanName } from '../../../config/plans.js';
import { PLANS } from '../../../config/plans.js';
import { COMMAND_LINE } from '../../access/audit/audit-event.js';
import { changePlan } from '../../access/organizations/change-plan.js';
import {
  listOrganizations,
  type OrganizationRow,
  setOrganizationAllowlist,
} from '../../access/organizations/organizations.queries.js';
import { changeSuspension } from '../../access/organizations/suspension.js';
import { setStripeCustomer } from '../../usage/metering/meter-events.queries.js';
import { auditCommand } from '../audit.js';
import type { AdminContext } from '../context.js';
import { organizationOf } from '../input.js';
import type { Answer } from '../output.js';
import { ensureOrganization, ensureWorkspace } from './ensure.js';

const show = (organization: OrganizationRow) => ({
  id: organization.id,
  name: organization.name,
  plan: organization.plan,
  suspended_at: organization.suspended_at,
  ip_allowlist: organization.ip_allowlist,
  created_at: organization.created_at,
});

export async function listOrganizationsCommand({ database }: AdminContext): Promise<Answer> {
  return (await listOrganizations(database)).map(show);
}

export function createOrganizationCommand(
  { database, now }: AdminContext,
  options: { readonly name: string; readonly plan: PlanName },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const { organization, created } = await ensureOrganization(tx, options.name, options.plan, now);
    return { ...show(organization), created };
  });
}

export function addWorkspaceCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly name: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    const { workspace, created } = await ensureWorkspace(tx, organization.id, options.name, now);
    return { organization_id: organization.id, workspace_id: workspace.id, name: workspace.name, created };
  });
}

export function suspendCommand(
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

export function allowlistCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly allow: readonly string[] },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    await setOrganizationAllowlist(tx, organization.id, options.allow);
    await auditCommand(tx, {
      organizationId: organization.id,
      action: 'organization.allowlist_changed',
      target: { kind: 'organization', id: organization.id },
      details: { ip_allowlist: options.allow },
      occurredAt: now,
    });
    return show(await organizationOf(tx, organization.id));
  });
}

export function listPlansCommand(): Promise<Answer> {
  return Promise.resolve(Object.entries(PLANS).map(([name, limits]) => ({ name, ...limits })));
}

export function setPlanCommand(
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
export function setBillingCommand(
  { database, now }: AdminContext,
  options: { readonly organization: string; readonly stripeCustomer: string },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const organization = await organizationOf(tx, options.organization);
    await setStripeCustomer(tx, organization.id, options.stripeCustomer);
    const details = { stripe_customer: options.stripeCustomer };
    await auditCommand(tx, {
      organizationId: organization.id,
      action: 'billing.changed',
      target: { kind: 'organization', id: organization.id },
      details,
      occurredAt: now,
    });
    return { organization_id: organization.id, ...details };
  });
}
