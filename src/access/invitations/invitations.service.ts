import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DAY_MS, later } from '../../platform/durations.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import type { LongPageQueryDto } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { newId } from '../../platform/ids.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAuditBy } from '../audit/record-by.js';
import type { MemberCaller } from '../guard/caller.js';
import { AccountMails, type InvitationMail } from '../mails/account-mails.js';
import { ownMembership } from '../organizations/members/members.service.js';
import { countMembers, findMember } from '../organizations/members/memberships.queries.js';
import { requireRoom } from '../organizations/plans/plan-limits.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { takeAttempt } from '../attempts/attempt-limit.js';
import { invitationSubject, invitingSubject } from '../attempts/attempt-subjects.js';
import { generateLinkToken, hashLinkToken } from '../users/link-token.js';
import { findUserByEmail, normalizeEmail } from '../users/users.queries.js';
import { insertInvitation, listOpenInvitations } from './invitations.queries.js';
import type { InvitationBody, IssuedInvitationBody } from './invitations.dto.js';
import { requireOffered } from './offered-roles.js';
import { withdrawInvitations } from './withdraw.js';

const VALID_MS = 7 * DAY_MS;

/** Offers of membership, from the senders' perspective. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
  ) {}

  list(caller: MemberCaller, paging: LongPageQueryDto): Promise<Page<InvitationBody>> {
    return idPage('invitations', paging, (slice) =>
      listOpenInvitations(this.database, caller.organizationId, this.clock.now(), slice),
    );
  }

  /**
   * Invites an address; an earlier open invitation to it is revoked.
   * @throws {Problem} 409 `already_member`, `plan_limit_reached`; 403 `role_required`; 429 `too_many_attempts`
   */
  create(
    caller: MemberCaller,
    wanted: { readonly email: string; readonly role: MemberRole },
  ): Promise<IssuedInvitationBody> {
    const now = this.clock.now();
    const { organizationId } = caller;
    const by = { organizationId, actor: actorOf(caller), now };
    const email = normalizeEmail(wanted.email);
    const token = generateLinkToken('fi');
    return this.database.transaction(async (tx) => {
      const organization = await requireOrganization(tx, organizationId);
      const inviter = await ownMembership(tx, caller);
      requireOffered(inviter.role, wanted.role);
      await requireNoMember(tx, organizationId, email);
      await withdrawInvitations(tx, { email }, by);
      requireRoom(
        organization.plan,
        'members',
        await countMembers(tx, organizationId, now),
        ', including open invitations',
      );
      if (this.mails.configured) {
        const subjects = [invitationSubject(organizationId, email), invitingSubject(organizationId, organization.plan)];
        await takeAttempt(tx, subjects, now); // in the transaction: what is refused sends no email
      }
      const invitation: InvitationBody = {
        id: newId(),
        email,
        role: wanted.role,
        invited_by: caller.userId,
        created_at: now,
        expires_at: later(now, VALID_MS),
      };
      await insertInvitation(tx, organizationId, invitation, hashLinkToken(token));
      await recordAuditBy(tx, caller, {
        action: 'invitation.created',
        target: { kind: 'invitation', id: invitation.id },
        details: { email, role: wanted.role },
        now,
      });
      return this.deliver(tx, invitation, token, { organization: organization.name, inviter: caller });
    });
  }

  /** Sends the link; without email, the reply contains it instead. */
  private async deliver(
    tx: Transaction,
    invitation: InvitationBody,
    token: string,
    by: Pick<InvitationMail, 'organization' | 'inviter'>,
  ): Promise<IssuedInvitationBody> {
    if (!this.mails.configured) {
      return { ...invitation, emailed: false, token, accept_url: this.mails.link('invitations', token) };
    }
    const { email, role, expires_at: expiresAt } = invitation;
    await this.mails.invitation(tx, { to: email, role, token, expiresAt, ...by });
    return { ...invitation, emailed: true, token: null, accept_url: null };
  }

  /** @throws {Problem} 404 */
  revoke(caller: MemberCaller, invitationId: string): Promise<void> {
    const now = this.clock.now();
    const by = { organizationId: caller.organizationId, actor: actorOf(caller), now };
    return this.database.transaction(async (tx) => {
      await requireById('invitation', invitationId, async (id) => (await withdrawInvitations(tx, { id }, by))[0]);
    });
  }
}

/** @throws {Problem} 409 `already_member` */
async function requireNoMember(tx: Transaction, organizationId: string, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email);
  if (!user || !(await findMember(tx, organizationId, user.id))) return;
  throw new Problem(409, 'already_member', 'The address already belongs to a member.');
}
