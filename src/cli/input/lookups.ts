import { findOrganization, findOrganizationsByName } from '../../access/organizations/organizations.queries.js';
import type { OrganizationBody, WorkspaceBody } from '../../access/organizations/organizations.dto.js';
import { requireOrganization } from '../../access/organizations/require-organization.js';
import { listWorkspaces } from '../../access/organizations/workspaces/workspaces.queries.js';
import { findUserByEmail, type UserRow } from '../../access/users/users.queries.js';
import type { Queryable, Transaction } from '../../platform/database/database.js';
import { canonicalId, isId } from '../../platform/ids.js';
import { UsageError } from './usage-error.js';

/** Finds an organization by id, or by its name, which must then be unique. */
export async function organizationOf(db: Queryable, text: string): Promise<OrganizationBody> {
  const byId = isId(text) ? await findOrganization(db, text) : undefined;
  if (byId) return byId;
  const named = await findOrganizationsByName(db, text);
  if (named.length > 1) throw new UsageError(`there are ${named.length} organizations named "${text}"; use the id`);
  const [organization] = named;
  if (!organization) throw new UsageError(`there is no organization "${text}"`);
  return organization;
}

/** {@link organizationOf}, locked until the transaction ends, so that concurrent commands that change it see each other. */
export async function lockedOrganizationOf(tx: Transaction, text: string): Promise<OrganizationBody> {
  return requireOrganization(tx, (await organizationOf(tx, text)).id);
}

export async function workspaceOf(db: Queryable, organizationId: string, text: string): Promise<WorkspaceBody> {
  const workspaces = await listWorkspaces(db, organizationId);
  const found = workspaces.filter((workspace) => workspace.id === canonicalId(text) || workspace.name === text);
  if (found.length > 1) throw new UsageError(`there are ${found.length} workspaces named "${text}"; use the id`);
  const [workspace] = found;
  if (!workspace) throw new UsageError(`the organization has no workspace "${text}"`);
  return workspace;
}

export async function userOf(db: Queryable, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new UsageError(`there is no user with the email ${email}`);
  return user;
}
