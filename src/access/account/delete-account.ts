import type { Database, Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { recordAudit } from '../audit/audit-log.js';
import { withdrawSentInvitations } from '../invitations/withdraw.js';
import type { AccountMails } from '../mails/account-mails.js';
import { listMembershipsOfUser, lockOwners, removeMembership } from '../organizations/members/memberships.queries.js';
import type { OwnMembershipBody } from '../sessions/sessions.dto.js';
import { lockOrganization } from '../organizations/organizations.queries.js';
import { deleteUser, lockUser, type UserRow } from '../users/users.queries.js';
import type { AccountChanger } from './change-account.js';

export interface AccountDeletion extends AccountChanger {
  readonly user: Pick<UserRow, 'id' | 'email' | 'isOperator'>;
  /** Repeats the owner's proof with the account locked; throws if it fails. */
  readonly prove?: (tx: Transaction) => Promise<void>;
}

/**
 * Deletes an account with its sessions, memberships and everything else that belongs to the person alone. What was done for an
 * organization stays: keys, overrides, accepted agreements, the audit log. So do forum texts, anonymized.
 * @throws {Problem} 409 `last_owner` if an organization would be left without an owner, unless its deletion has been requested.
 * Also succeeds if another request has just deleted the account
 */
export async function deleteAccount(database: Database, mails: AccountMails, deletion: AccountDeletion): Promise<void> {
  try {
    await database.transaction((tx) => tryToDelete(tx, mails, deletion));
  } catch (error) {
    if (!(error instanceof JoinedMeanwhile)) throw error;
    await deleteAccount(database, mails, deletion);
  }
}

/** The user became a member of an organization that was not among those locked. */
class JoinedMeanwhile extends Error {}

async function tryToDelete(
  tx: Transaction,
  mails: AccountMails,
  { user, actor, noticeActor, now, prove }: AccountDeletion,
): Promise<void> {
  const memberships = await holdMemberships(tx, user.id);
  if (!memberships) return;
  await prove?.(tx);
  await requireOtherOwners(tx, memberships);
  for (const { organization_id } of memberships) await removeMembership(tx, organization_id, user.id);
  await deleteUser(tx, user.id);
  await mails.accountDeleted(tx, user.email, noticeActor);
  const target = { kind: 'user', id: user.id };
  for (const { organization_id: organizationId, role } of memberships) {
    const details = { email: user.email, role };
    await recordAudit(tx, { organizationId, actor, action: 'member.removed', target, details, now });
    await withdrawSentInvitations(tx, { organizationId, userId: user.id, role: null, actor, now });
  }
  const details = { email: user.email, operator: user.isOperator };
  await recordAudit(tx, { organizationId: null, actor, action: 'user.deleted', target, details, now });
}

/**
 * Locks the user's organizations and then the user, so that no role changes and no membership is added.
 * @returns undefined if the user no longer exists
 */
async function holdMemberships(tx: Transaction, userId: string): Promise<readonly OwnMembershipBody[] | undefined> {
  const held = new Set<string>();
  for (const { organization_id } of await listMembershipsOfUser(tx, userId)) {
    await lockOrganization(tx, organization_id);
    held.add(organization_id);
  }
  if (!(await lockUser(tx, userId))) return undefined;
  const memberships = await listMembershipsOfUser(tx, userId);
  if (memberships.some(({ organization_id }) => !held.has(organization_id))) throw new JoinedMeanwhile();
  return memberships;
}

/** @throws {Problem} 409 `last_owner`, naming the organizations */
async function requireOtherOwners(tx: Transaction, memberships: readonly OwnMembershipBody[]): Promise<void> {
  const orphans: string[] = [];
  for (const { organization_id, organization_name, role, delete_after } of memberships) {
    if (role !== 'owner' || delete_after !== null) continue;
    if ((await lockOwners(tx, organization_id)) < 2) orphans.push(organization_name);
  }
  if (orphans.length === 0) return;
  throw new Problem(
    409,
    'last_owner',
    `The account is the only owner of ${orphans.join(', ')}. First make another member an owner, or request deletion of the organization.`,
  );
}
