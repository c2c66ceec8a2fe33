import type { Transaction } from '../../platform/database/database.js';
import { MEMBER_ROLES, type MemberRole } from '../../platform/http/access-declaration.js';
import type { AuditActor } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { revokeInvitations } from './invitations.queries.js';
import { OFFERED_ROLES } from './offered-roles.js';

export interface LessenedMember {
  readonly organizationId: string;
  readonly userId: string;
  /** The role that is left; null for who is no member any more. */
  readonly role: MemberRole | null;
  /** Who lessened it. */
  readonly actor: AuditActor;
  readonly now: Date;
}

/**
 * Withdraws the open invitations of somebody who may not send them any more: they would be a way back in. With the organization locked,
 * so that none is being sent or accepted meanwhile.
 */
export async function withdrawSentInvitations(tx: Transaction, member: LessenedMember): Promise<void> {
  const { organizationId, userId: invitedBy, role, actor, now } = member;
  const offered = role === null ? [] : OFFERED_ROLES[role];
  const roles = MEMBER_ROLES.filter((one) => !offered.includes(one));
  for (const { id, email } of await revokeInvitations(tx, organizationId, { invitedBy, roles }, now)) {
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'invitation.revoked',
      target: { kind: 'invitation', id },
      details: { email },
      occurredAt: now,
    });
  }
}
