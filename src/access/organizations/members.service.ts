import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { LONG_PAGE, type LongPageQueryDto } from '../../platform/http/page-query.js';
import { listPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { recordAuditBy } from '../audit/record-by.js';
import type { MemberCaller } from '../guard/caller.js';
import { requireRole } from '../guard/require-role.js';
import { requireAnotherOwner } from './last-owner.js';
import {
  findMember,
  listMembers,
  lockOwners,
  markReviewed,
  MEMBER_ORDER,
  type MemberRow,
  removeMembership,
  setMembership,
} from './memberships.queries.js';

/** Who belongs to an organization, and as what. */
@Injectable()
export class MembersService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(caller: MemberCaller, paging: LongPageQueryDto): Promise<Page<MemberRow>> {
    return listPage(paging, LONG_PAGE, MEMBER_ORDER, (slice) =>
      listMembers(this.database, caller.organizationId, slice),
    );
  }

  /** @throws {Problem} 404; 403 `role_required` where only an owner may; 409 `last_owner` */
  changeRole(caller: MemberCaller, userId: string, role: MemberRole): Promise<MemberRow> {
    return this.database.transaction(async (tx) => {
      const { member, changer } = await this.changeable(tx, caller, userId);
      requireRole(changer.role, 'admin');
      if (role === 'owner') requireOwner(changer);
      if (member.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, caller.organizationId);
      const now = this.clock.now();
      await setMembership(tx, caller.organizationId, userId, role, now);
      await recordAuditBy(tx, caller, {
        action: 'member.role_changed',
        target: { kind: 'user', id: member.user_id },
        details: { email: member.email, from: member.role, to: role },
        occurredAt: now,
      });
      return { ...member, role };
    });
  }

  /** @throws {Problem} 404; 403 `role_required` where only an owner may; 409 `last_owner` */
  remove(caller: MemberCaller, userId: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { member, changer } = await this.changeable(tx, caller, userId);
      if (member.user_id !== caller.userId) requireRole(changer.role, 'admin');
      if (member.role === 'owner') await requireAnotherOwner(tx, caller.organizationId);
      await removeMembership(tx, caller.organizationId, userId);
      await recordAuditBy(tx, caller, {
        action: 'member.removed',
        target: { kind: 'user', id: member.user_id },
        details: { email: member.email, role: member.role },
        occurredAt: this.clock.now(),
      });
    });
  }

  /** Confirms that the member still needs the access: the periodic review that auditors ask for. */
  review(caller: MemberCaller, userId: string): Promise<MemberRow> {
    return this.database.transaction(async (tx) => {
      const member = await this.member(tx, caller, userId);
      const now = this.clock.now();
      await markReviewed(tx, caller.organizationId, userId, now);
      await recordAuditBy(tx, caller, {
        action: 'member.reviewed',
        target: { kind: 'user', id: member.user_id },
        details: { email: member.email, role: member.role },
        occurredAt: now,
      });
      return { ...member, reviewed_at: now };
    });
  }

  private member(tx: Transaction, caller: MemberCaller, userId: string): Promise<MemberRow> {
    return requireById('member', userId, (id) => findMember(tx, caller.organizationId, id));
  }

  /**
   * Owners are for owners to change. The owners are locked first, so that two changes at once see each other: `changer` is the
   * caller's own membership by now, whose role the one before may have lowered.
   */
  private async changeable(
    tx: Transaction,
    caller: MemberCaller,
    userId: string,
  ): Promise<{ readonly member: MemberRow; readonly changer: MemberRow }> {
    await lockOwners(tx, caller.organizationId);
    const changer = await findMember(tx, caller.organizationId, caller.userId);
    if (!changer) throw Problem.notFound('organization');
    const member = await this.member(tx, caller, userId);
    if (member.role === 'owner') requireOwner(changer);
    return { member, changer };
  }
}

/** @throws {Problem} 403 `role_required` */
export function requireOwner(caller: { readonly role: MemberRole }): void {
  if (caller.role !== 'owner')
    throw new Problem(403, 'role_required', 'Only an owner may make, change or remove owners.');
}
