import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { MemberRole } from '../../../platform/http/access-declaration.js';
import type { LongPageQueryDto } from '../../../platform/http/page-query.js';
import { listPage, type Page } from '../../../platform/http/pagination.js';
import { Problem } from '../../../platform/http/problem.js';
import { requireById } from '../../../platform/http/require-by-id.js';
import { actorOf } from '../../audit/audit-event.js';
import { recordAuditBy } from '../../audit/record-by.js';
import type { MemberCaller } from '../../guard/caller.js';
import { requireRole } from '../../guard/require-role.js';
import { withdrawSentInvitations } from '../../invitations/withdraw.js';
import { requireAnotherOwner } from './last-owner.js';
import {
  findMember,
  listMembers,
  markReviewed,
  MEMBER_ORDER,
  removeMembership,
  setMembership,
} from './memberships.queries.js';
import type { MemberBody } from '../organizations.dto.js';
import { requireOrganization } from '../require-organization.js';

/** The members of an organization and their roles. */
@Injectable()
export class MembersService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(caller: MemberCaller, paging: LongPageQueryDto): Promise<Page<MemberBody>> {
    return listPage(paging, MEMBER_ORDER, (slice) => listMembers(this.database, caller.organizationId, slice));
  }

  /** @throws {Problem} 404; 403 `role_required` if only an owner may; 409 `last_owner` */
  changeRole(caller: MemberCaller, userId: string, role: MemberRole): Promise<MemberBody> {
    return this.database.transaction(async (tx) => {
      const { member, changer } = await this.changeable(tx, caller, userId);
      requireRole(changer.role, 'admin');
      if (role === 'owner') requireOwner(changer);
      if (member.role === role) return member;
      if (member.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, caller.organizationId);
      const now = this.clock.now();
      await setMembership(tx, caller.organizationId, { userId, role, now });
      await recordAuditBy(tx, caller, {
        action: 'member.role_changed',
        target: { kind: 'user', id: member.user_id },
        details: { email: member.email, from: member.role, to: role },
        now,
      });
      await withdrawSentInvitations(tx, {
        organizationId: caller.organizationId,
        userId,
        role,
        actor: actorOf(caller),
        now,
      });
      return { ...member, role };
    });
  }

  /** @throws {Problem} 404; 403 `role_required` if only an owner may; 409 `last_owner` */
  remove(caller: MemberCaller, userId: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { member, changer } = await this.changeable(tx, caller, userId);
      if (member.user_id !== caller.userId) requireRole(changer.role, 'admin');
      if (member.role === 'owner') await requireAnotherOwner(tx, caller.organizationId);
      const now = this.clock.now();
      await removeMembership(tx, caller.organizationId, userId);
      await recordAuditBy(tx, caller, {
        action: 'member.removed',
        target: { kind: 'user', id: member.user_id },
        details: { email: member.email, role: member.role },
        now,
      });
      await withdrawSentInvitations(tx, {
        organizationId: caller.organizationId,
        userId,
        role: null,
        actor: actorOf(caller),
        now,
      });
    });
  }

  /** Confirms that the member still needs access: the periodic review that auditors require. */
  review(caller: MemberCaller, userId: string): Promise<MemberBody> {
    return this.database.transaction(async (tx) => {
      const member = await this.member(tx, caller, userId);
      const now = this.clock.now();
      await markReviewed(tx, caller.organizationId, userId, now);
      await recordAuditBy(tx, caller, {
        action: 'member.reviewed',
        target: { kind: 'user', id: member.user_id },
        details: { email: member.email, role: member.role },
        now,
      });
      return { ...member, reviewed_at: now };
    });
  }

  private member(tx: Transaction, caller: MemberCaller, userId: string): Promise<MemberBody> {
    return requireById('member', userId, (id) => findMember(tx, caller.organizationId, id));
  }

  /**
   * Only owners may change owners. The organization is locked first, as when an invitation is created or accepted, so that
   * concurrent changes see each other.
   */
  private async changeable(
    tx: Transaction,
    caller: MemberCaller,
    userId: string,
  ): Promise<{ readonly member: MemberBody; readonly changer: MemberBody }> {
    await requireOrganization(tx, caller.organizationId);
    const changer = await ownMembership(tx, caller);
    const member = await this.member(tx, caller, userId);
    if (member.role === 'owner') requireOwner(changer);
    return { member, changer };
  }
}

/**
 * The caller's current membership, with the organization locked: another request may have changed it since the caller was admitted.
 * @throws {Problem} 404
 */
export async function ownMembership(tx: Transaction, caller: MemberCaller): Promise<MemberBody> {
  const own = await findMember(tx, caller.organizationId, caller.userId);
  if (!own) throw Problem.notFound('organization');
  return own;
}

/** @throws {Problem} 403 `role_required` */
function requireOwner(caller: { readonly role: MemberRole }): void {
  if (caller.role !== 'owner') throw new Problem(403, 'role_required', 'Only owners can add, change or remove owners.');
}
