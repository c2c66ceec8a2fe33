import type { PlanName } from '../../../config/plans.js';
import { recordAudit } from '../../access/audit/audit-log.js';
import { createApiKey } from '../../access/api-keys/issue/create-api-key.js';
import { COMMAND_LINE } from '../actor.js';
import { createWorkspace } from '../../access/organizations/workspaces/create-workspace.js';
import { withdrawSentInvitations } from '../../access/invitations/withdraw.js';
import { requireAnotherOwner } from '../../access/organizations/members/last-owner.js';
import {
  findOrganizationsByName,
  insertOrganization,
  lockOrganizationName,
} from '../../access/organizations/organizations.queries.js';
import type { OrganizationBody, WorkspaceBody } from '../../access/organizations/organizations.dto.js';
import { countMembers, findMember, setMembership } from '../../access/organizations/members/memberships.queries.js';
import { requireRoom } from '../../access/organizations/plans/plan-limits.js';
import { requireOrganization } from '../../access/organizations/require-organization.js';
import { listWorkspaces } from '../../access/organizations/workspaces/workspaces.queries.js';
import { type ApiKeyRow, listApiKeys, type RequestedApiKey } from '../../access/api-keys/api-keys.queries.js';
import { hasEnded } from '../../access/api-keys/key-state.js';
import { createUser } from '../../access/users/create-user.js';
import { generatePassword, hashPassword } from '../../access/users/password.js';
import { findUserByEmail, lockUser, setOperator, type UserRow } from '../../access/users/users.queries.js';
import type { Transaction } from '../../platform/database/database.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { newId } from '../../platform/ids.js';
import { dayOf } from '../../platform/utc-calendar.js';
import type { AdminContext } from '../context.js';
import { UsageError } from '../input/usage-error.js';

/**
 * Finds by name or creates, which makes commands idempotent. Of two concurrent commands the second waits and finds what the first
 * has created. Everything that is created is recorded in the audit log.
 */
export async function ensureOrganization(
  tx: Transaction,
  name: string,
  plan: PlanName,
  now: Date,
): Promise<{ organization: OrganizationBody; created: boolean }> {
  await lockOrganizationName(tx, name);
  const [known, ...more] = await findOrganizationsByName(tx, name);
  if (more.length > 0) throw new UsageError(`there are several organizations named "${name}"`);
  if (known?.delete_after) {
    throw new UsageError(
      `"${name}" is scheduled for deletion on ${dayOf(known.delete_after)}; cancel that with org restore, or choose another name`,
    );
  }
  if (known) return { organization: known, created: false };
  const organization = await insertOrganization(tx, { id: newId(), name, plan, createdAt: now });
  await recordAudit(tx, {
    organizationId: organization.id,
    actor: COMMAND_LINE,
    action: 'organization.created',
    target: { kind: 'organization', id: organization.id },
    details: { name, plan },
    now,
  });
  return { organization, created: true };
}

export async function ensureWorkspace(
  tx: Transaction,
  organizationId: string,
  name: string,
  now: Date,
): Promise<{ workspace: WorkspaceBody; created: boolean }> {
  const organization = await requireOrganization(tx, organizationId);
  const known = (await listWorkspaces(tx, organizationId)).find((workspace) => workspace.name === name);
  if (known) return { workspace: known, created: false };
  const wanted = { name, timeZone: 'UTC' };
  return { workspace: await createWorkspace(tx, organization, wanted, { actor: COMMAND_LINE, now }), created: true };
}

/** A default name for users. Not the whole address, since users of other organizations see names in the forum. */
export function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/**
 * An existing user stays until the transaction ends. Call it with the organization locked, if there is one: whoever deletes an account
 * locks its organizations first.
 * @returns the generated password of a new user; null for an existing one
 */
export async function ensureUser(
  tx: Transaction,
  wanted: { readonly email: string; readonly name: string; readonly isOperator: boolean },
  now: Date,
): Promise<{ user: UserRow; password: string | null }> {
  const known = await findUserByEmail(tx, wanted.email);
  if (known) return (await lockUser(tx, known.id)) ? { user: known, password: null } : ensureUser(tx, wanted, now);
  const password = generatePassword();
  const account = { ...wanted, id: newId(), passwordHash: await hashPassword(password), createdAt: now };
  const user = await createUser(tx, account, COMMAND_LINE);
  if (!user) return ensureUser(tx, wanted, now); // just created by another command
  return { user, password };
}

/** Grants or revokes the operator role. */
export async function ensureOperator(tx: Transaction, user: UserRow, operator: boolean, now: Date): Promise<void> {
  if (!(await setOperator(tx, user.id, operator))) return;
  const action = operator ? 'operator.granted' : 'operator.withdrawn';
  await recordAudit(tx, {
    organizationId: null,
    actor: COMMAND_LINE,
    action,
    target: { kind: 'user', id: user.id },
    details: { email: user.email },
    now,
  });
}

/**
 * Makes the user a member of the organization, or changes a member's role.
 * @throws {Problem} 409 `last_owner`, `plan_limit_reached`
 */
export async function ensureMember(
  tx: Transaction,
  organizationId: string,
  { user, role, now }: { readonly user: UserRow; readonly role: MemberRole; readonly now: Date },
): Promise<void> {
  const { plan } = await requireOrganization(tx, organizationId);
  const member = await findMember(tx, organizationId, user.id);
  if (member?.role === role) return;
  if (member?.role === 'owner') await requireAnotherOwner(tx, organizationId);
  if (!member)
    requireRoom(plan, 'members', await countMembers(tx, organizationId, now), ', including open invitations');
  await setMembership(tx, organizationId, { userId: user.id, role, now });
  await recordAudit(tx, {
    organizationId,
    actor: COMMAND_LINE,
    action: 'member.set',
    target: { kind: 'user', id: user.id },
    details: { email: user.email, role },
    now,
  });
  await withdrawSentInvitations(tx, { organizationId, userId: user.id, role, actor: COMMAND_LINE, now });
}

/**
 * @returns the new key, including its plain text; or the existing live key of that name, which cannot be shown again
 * @throws {Problem} 404 for a workspace that is being deleted; 409 `plan_limit_reached`
 */
export async function ensureApiKey(
  tx: Transaction,
  context: AdminContext,
  organizationId: string,
  wanted: RequestedApiKey,
): Promise<{ key: ApiKeyRow; plaintext: string | null }> {
  const { now, secrets } = context;
  const organization = await requireOrganization(tx, organizationId);
  const known = (await listApiKeys(tx, organizationId)).find(
    (key) => key.name === wanted.name && key.workspace_id === wanted.workspaceId && !hasEnded(key, now),
  );
  if (known) return { key: known, plaintext: null };
  return createApiKey(tx, organization, wanted, { pepper: secrets.apiKeyPepper, actor: COMMAND_LINE, now });
}
