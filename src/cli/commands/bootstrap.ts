import { PLANS, type PlanName } from '../../../config/plans.js';
import type { AdminContext } from '../context.js';
import type { Answer } from '../output.js';
import {
  ensureApiKey,
  ensureMember,
  ensureOperator,
  ensureOrganization,
  ensureUser,
  ensureWorkspace,
} from './ensure.js';

export interface BootstrapOptions {
  readonly organization: string;
  readonly workspace: string;
  readonly plan: PlanName;
  readonly email: string;
}

/**
 * The first operator, an organization he owns, a workspace and a key of the organization. Asked again, it finds what it
 * made: the password and the key were shown once and are null then. A plan without keys gets none.
 */
export function bootstrap(context: AdminContext, options: BootstrapOptions): Promise<Answer> {
  const { database, now } = context;
  return database.transaction(async (tx) => {
    const { organization } = await ensureOrganization(tx, options.organization, options.plan, now);
    const { workspace } = await ensureWorkspace(tx, organization.id, options.workspace, now);
    const { user, password } = await ensureUser(
      tx,
      { email: options.email, name: options.email, isOperator: true },
      now,
    );
    await ensureOperator(tx, user, true, now);
    await ensureMember(tx, organization.id, user, 'owner', now);
    const key =
      PLANS[organization.plan].api_keys === 0
        ? null
        : await ensureApiKey(tx, context, organization.id, { name: 'bootstrap', workspaceId: null });
    return {
      organization_id: organization.id,
      workspace_id: workspace.id,
      email: user.email,
      password,
      api_key: key?.plaintext ?? null,
    };
  });
}
