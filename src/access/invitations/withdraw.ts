import type { Transaction } from '../../platform/database/database.js';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { type InvitationSelection, revokeInvitations } from './invitations.queries.js';
import type { InvitationBody } from './invitations.dto.js';
import { OFFERED_ROLES } from './offered-roles.js';

interface Withdrawal extends Attribution {
  readonly organizationId: string;
}

/** Revokes open invitations and records it. @returns those revoked */
export async function withdrawInvitations(
  tx: Transaction,
  which: InvitationSelection,
  { organizationId, actor, now }: Withdrawal,
): Promise<InvitationBody[]> {
  const withdrawn = await revokeInvitations(tx, organizationId, which, now);
  for (const { id, email } of withdrawn) {
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'invitation.revoked',
      target: { kind: 'invitation', id },
      details: { email },
      now,
    });
  }
  return withdrawn;
}

export interface DemotedMember extends Withdrawal {
  readonly userId: string;
  /** The remaining role; null for someone who is no longer a member. */
  readonly role: MemberRole | null;
}

/**
 * Revokes the open invitations of someone who may no longer send them: they would be a way back in. Call it with the organization
 * locked, so that none is being sent or accepted in the meantime.
 */
export async function withdrawSentInvitations(tx: Transaction, member: DemotedMember): Promise<void> {
  const offered = member.role === null ? [] : OFFERED_ROLES[member.role];
  const roles = MEMBER_ROLES.filter((role) => !offered.includes(role));
  await withdrawInvitations(tx, { invitedBy: member.userId, roles }, member);
}
