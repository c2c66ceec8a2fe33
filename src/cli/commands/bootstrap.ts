import type { Command } from 'commander';
import { PLANS, type PlanName } from '../../../config/plans.js';
import type { AddCommand } from '../add-command.js';
import type { AdminContext } from '../context.js';
import { emailOption, nameOption, planOption } from '../input/options.js';
import type { Answer } from '../output/answer.js';
import {
  ensureApiKey,
  ensureMember,
  ensureOperator,
  ensureOrganization,
  ensureUser,
  ensureWorkspace,
  nameOf,
} from './ensure.js';

interface BootstrapOptions {
  readonly organization: string;
  readonly workspace: string;
  readonly plan: PlanName;
  readonly email: string;
  readonly name?: string;
}

/**
 * Creates the first operator, an organization owned by them, a workspace and a key of the organization. When run again, it finds
 * what it created, whatever its plan: the password and the key were shown once and are then null. No key is created for a plan without keys.
 */
function bootstrap(context: AdminContext, options: BootstrapOptions): Promise<Answer> {
  const { database, now } = context;
  return database.transaction(async (tx) => {
    const { organization } = await ensureOrganization(tx, options.organization, options.plan, now);
    const { workspace } = await ensureWorkspace(tx, organization.id, options.workspace, now);
    const { user, password } = await ensureUser(
      tx,
      { email: options.email, name: options.name ?? nameOf(options.email), isOperator: true },
      now,
    );
    await ensureOperator(tx, user, true, now);
    await ensureMember(tx, organization.id, { user, role: 'owner', now });
    const key =
      PLANS[organization.plan].api_keys === 0
        ? null
        : await ensureApiKey(tx, context, organization.id, { name: 'bootstrap', workspaceId: null });
    return {
      organization_id: organization.id,
      plan: organization.plan,
      workspace_id: workspace.id,
      email: user.email,
      password,
      api_key: key?.plaintext ?? null,
    };
  });
}

/** `bootstrap`: what a new installation needs first. */
export function addBootstrapCommand(program: Command, command: AddCommand): void {
  command<BootstrapOptions>(
    program,
    'bootstrap',
    'create the first operator, organization, workspace and, if the plan has any, API key; what exists stays as it is',
    bootstrap,
  )
    .requiredOption('--organization <name>', 'name of the organization', nameOption('--organization'))
    .requiredOption('--workspace <name>', 'name of the workspace', nameOption('--workspace'))
    .requiredOption('--plan <plan>', 'plan of the organization', planOption)
    .requiredOption('--email <email>', 'email of the operator, who becomes owner of the organization', emailOption)
    .option(
      '--name <name>',
      'name of the operator, shown to others (default: the part of the email before the @)',
      nameOption('--name'),
    )
    .setOptionValue('json', true); // with or without --json: scripts must be able to save what is shown only once
}
