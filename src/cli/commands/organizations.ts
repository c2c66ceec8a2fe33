import type { Command } from 'commander';
import type { PlanName } from '../../../config/plans.js';
import { COMMAND_LINE } from '../actor.js';
import { recordAudit } from '../../access/audit/audit-log.js';
import { changeBetween } from '../../access/audit/change.js';
import { changeDeletion } from '../../access/organizations/deletion.js';
import { listOrganizations, setOrganizationAllowlist } from '../../access/organizations/organizations.queries.js';
import type { OrganizationBody } from '../../access/organizations/organizations.dto.js';
import { changeSuspension } from '../../access/organizations/suspension.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { lockedOrganizationOf, organizationOf } from '../input/lookups.js';
import { nameOption, ORGANIZATION, planOption, rangeOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';
import { addBillingCommands } from './billing.js';
import { ensureOrganization, ensureWorkspace } from './ensure.js';

const show = (organization: OrganizationBody) => ({
  id: organization.id,
  name: organization.name,
  plan: organization.plan,
  suspended_at: organization.suspended_at,
  suspension_reason: organization.suspension_reason,
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
  {
    organization,
    suspended,
    reason,
  }: { readonly organization: string; readonly suspended: boolean; readonly reason: string | null },
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const { id: organizationId } = await organizationOf(tx, organization);
    const change = { organizationId, suspended, reason, actor: COMMAND_LINE, now };
    return show(await changeSuspension(tx, change));
  });
}

/** Does what an owner can do: for an organization that has no owner able to, or that is suspended. */
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
    const organization = await lockedOrganizationOf(tx, options.organization);
    const details = changeBetween(organization, { ip_allowlist: [...options.allow] });
    if (details === undefined) return show(organization);
    const changed = await setOrganizationAllowlist(tx, organization.id, options.allow);
    await recordAudit(tx, {
      organizationId: organization.id,
      actor: COMMAND_LINE,
      action: 'organization.allowlist_changed',
      target: { kind: 'organization', id: organization.id },
      details,
      now,
    });
    return show(changed);
  });
}

/** `org`: organizations and the settings that apply to all calls of one. */
export function addOrganizationCommands(program: Command, command: AddCommand): void {
  const org = program.command('org').description('manage organizations');
  command(org, 'list', 'list all organizations', listOrganizationsCommand);
  command(org, 'create', 'create an organization', createOrganizationCommand)
    .requiredOption('--name <name>', 'name of the organization', nameOption('--name'))
    .requiredOption('--plan <plan>', 'plan of the organization', planOption);
  command(org, 'add-workspace', 'create a workspace', addWorkspaceCommand)
    .requiredOption(...ORGANIZATION)
    .requiredOption('--name <name>', 'name of the workspace', nameOption('--name'));
  command<{ organization: string; reason?: string }>(
    org,
    'suspend',
    'suspend an organization: reject all of its requests',
    (context, { organization, reason }) =>
      suspendCommand(context, { organization, suspended: true, reason: reason ?? null }),
  )
    .requiredOption(...ORGANIZATION)
    .option('--reason <text>', 'the reason, shown to its members', nameOption('--reason', 500));
  command<{ organization: string }>(
    org,
    'resume',
    'lift the suspension of an organization',
    (context, { organization }) => suspendCommand(context, { organization, suspended: false, reason: null }),
  ).requiredOption(...ORGANIZATION);
  command<{ organization: string }>(
    org,
    'delete',
    'schedule an organization for deletion in 30 days; its API keys are rejected from now on',
    (context, { organization }) => deletionCommand(context, { organization, deleted: true }),
  ).requiredOption(...ORGANIZATION);
  command<{ organization: string }>(
    org,
    'restore',
    'cancel the deletion of an organization',
    (context, { organization }) => deletionCommand(context, { organization, deleted: false }),
  ).requiredOption(...ORGANIZATION);
  command<{ organization: string; allow?: readonly string[] }>(
    org,
    'allowlist',
    'set the addresses that may call the API; with no --allow, any address may',
    (context, { organization, allow }) => allowlistCommand(context, { organization, allow: allow ?? [] }),
  )
    .requiredOption(...ORGANIZATION)
    .option('--allow <address or CIDR>', 'address or range to allow; can be repeated', rangeOption);
  addBillingCommands(org, command);
}
