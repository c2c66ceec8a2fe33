import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DAY_MS } from '../../platform/durations.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { asSystem } from '../../platform/database/scope.js';
import { LONG_PAGE, type LongPageQueryDto } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { newId } from '../../platform/ids.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { recordAuditBy } from '../audit/record-by.js';
import type { MemberCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { ownMembership } from '../organizations/members.service.js';
import { addMembership, countAcceptedMembers, countMembers, findMember } from '../organizations/memberships.queries.js';
import { findOrganization } from '../organizations/organizations.queries.js';
import { requireRoom } from '../organizations/plan-limits.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { passAttempt, takeAttempt } from '../sessions/attempt-limit.js';
import { FailedSignIns } from '../sessions/failed-sign-ins.js';
import { attemptSubjects, invitationSubject } from '../sessions/sign-in-attempts.queries.js';
import { generateLinkToken, hashLinkToken } from '../users/link-token.js';
import { hashPassword, verifyPassword } from '../users/password.js';
import { findUserByEmail, insertUser, normalizeEmail, type UserRow } from '../users/users.queries.js';
import {
  type AcceptedInvitationRow,
  acceptInvitation,
  findInvitedEmail,
  insertInvitation,
  type InvitationRow,
  listOpenInvitations,
  revokeInvitations,
} from './invitations.queries.js';
import { requireOffered } from './offered-roles.js';
import { withdrawInvitations } from './withdraw.js';

const VALID_MS = 7 * DAY_MS;

export interface IssuedInvitation extends InvitationRow {
  /** Whether it was sent by e-mail; then the reply does not contain the token. */
  readonly emailed: boolean;
  /** Shown in this reply only. */
  readonly token: string | null;
  /** The link to hand over; null where PUBLIC_URL is not set. */
  readonly accept_url: string | null;
}

export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

export interface AcceptedInvitation {
  readonly organization_id: string;
  readonly email: string;
  readonly role: MemberRole;
}

/** Offers of membership. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    private readonly failures: FailedSignIns,
  ) {}

  list(caller: MemberCaller, paging: LongPageQueryDto): Promise<Page<InvitationRow>> {
    return idPage(paging, LONG_PAGE, (slice) =>
      listOpenInvitations(this.database, caller.organizationId, this.clock.now(), slice),
    );
  }

  /**
   * Invites an address; an earlier open invitation to it is withdrawn.
   * @throws {Problem} 409 `already_member`, `plan_limit_reached`; 403 `role_required`; 429 `too_many_attempts`
   */
  async create(
    caller: MemberCaller,
    wanted: { readonly email: string; readonly role: MemberRole },
  ): Promise<IssuedInvitation> {
    const now = this.clock.now();
    const { organizationId } = caller;
    requireOffered(caller.role, wanted.role); // before it counts as an attempt
    const email = normalizeEmail(wanted.email);
    const token = generateLinkToken('fi');
    if (this.mails.configured) await takeAttempt(this.database, [invitationSubject(organizationId, email)], now);
    return this.database.transaction(async (tx) => {
      const organization = await requireOrganization(tx, organizationId);
      const inviter = await ownMembership(tx, caller);
      requireOffered(inviter.role, wanted.role); // it may have been lowered meanwhile
      await requireNoMember(tx, organizationId, email);
      await revokeInvitations(tx, organizationId, { email }, now);
      requireRoom(organization.plan, 'members', await countMembers(tx, organizationId, now));
      const invitation: InvitationRow = {
        id: newId(),
        email,
        role: wanted.role,
        invited_by: caller.userId,
        created_at: now,
        expires_at: new Date(now.getTime() + VALID_MS),
      };
      await insertInvitation(tx, organizationId, invitation, hashLinkToken(token));
      await recordAuditBy(tx, caller, {
        action: 'invitation.created',
        target: { kind: 'invitation', id: invitation.id },
        details: { email, role: wanted.role },
        occurredAt: now,
      });
      return this.deliver(tx, invitation, token, { organization: organization.name, inviter: caller.name });
    });
  }

  /** Sends the link; without e-mail the reply carries it instead. */
  private async deliver(
    tx: Transaction,
    invitation: InvitationRow,
    token: string,
    names: { readonly organization: string; readonly inviter: string },
  ): Promise<IssuedInvitation> {
    if (!this.mails.configured) {
      return { ...invitation, emailed: false, token, accept_url: this.mails.link('invitations', token) };
    }
    const { email, role, expires_at: expiresAt } = invitation;
    await this.mails.invitation(tx, { to: email, role, token, expiresAt, ...names });
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

  /**
   * Makes the holder of the link a member: with a new account, or with the existing account of the address and its password.
   * @throws {Problem} 404 for a token that is unknown, used, withdrawn, expired, or of a sender who may not invite any more, alike;
   * 401 `credentials_invalid`; 409 `plan_limit_reached` where the plan was lowered since: the invitation stays open; 429
   */
  accept(acceptance: Acceptance): Promise<AcceptedInvitation> {
    return this.tryToAccept(acceptance).catch((error: unknown) => {
      if (error instanceof AddressTaken) return this.tryToAccept(acceptance); // now with the password of that account
      throw error;
    });
  }

  private tryToAccept(acceptance: Acceptance): Promise<AcceptedInvitation> {
    return asSystem('invitation', async () => {
      const now = this.clock.now();
      const tokenHash = hashLinkToken(acceptance.token);
      const email = await findInvitedEmail(this.database, tokenHash, now);
      if (email === undefined) throw noOpenInvitation();
      // before the transaction, which must neither hold a connection while a password is hashed nor roll back a counted failure
      const known = await findUserByEmail(this.database, email);
      if (known) await this.checkPassword(known, acceptance, now);
      const account = known ?? (await newAccount(email, acceptance, now));
      return this.database.transaction(async (tx) => {
        const invitation = await acceptInvitation(tx, tokenHash, now);
        if (!invitation) throw noOpenInvitation();
        const actor = { kind: 'user', id: account.id, name: email, address: acceptance.address } as const;
        if (!known) {
          if (!(await insertUser(tx, account))) throw new AddressTaken();
          await recordAudit(tx, {
            organizationId: null,
            actor,
            action: 'user.created',
            target: { kind: 'user', id: account.id },
            details: { email, operator: false },
            occurredAt: now,
          });
        }
        await tx.narrowTo({ organizationId: invitation.organization_id, workspaceId: null });
        const isMember = known && (await findMember(tx, invitation.organization_id, known.id)) !== undefined;
        if (!isMember) await requireSeat(tx, invitation);
        // somebody who has become a member since the invitation keeps that role
        const role = await addMembership(tx, invitation.organization_id, {
          userId: account.id,
          role: invitation.role,
          now,
        });
        await this.tellInviter(tx, { ...invitation, role });
        await recordAudit(tx, {
          organizationId: invitation.organization_id,
          actor,
          action: 'invitation.accepted',
          target: { kind: 'invitation', id: invitation.id },
          details: { role },
          occurredAt: now,
        });
        return { organization_id: invitation.organization_id, email, role };
      });
    });
  }

  private async checkPassword(user: UserRow, { password, address }: Acceptance, now: Date): Promise<void> {
    const subjects = attemptSubjects(user.email, address);
    await takeAttempt(this.database, subjects, now);
    if (!(await verifyPassword(user.passwordHash, password))) {
      await this.failures.note({ user, wrong: 'password', address });
      throw Problem.unauthenticated('credentials_invalid', 'The address has an account already; give its password.');
    }
    await passAttempt(this.database, subjects);
  }

  private async tellInviter(
    tx: Transaction,
    { organization_id, invited_by, email, role }: InvitationRow & { readonly organization_id: string },
  ): Promise<void> {
    const inviter = await findMember(tx, organization_id, invited_by);
    const organization = await findOrganization(tx, organization_id);
    if (!inviter || !organization) return;
    await this.mails.invitationAccepted(tx, { to: inviter.email, guest: email, organization: organization.name, role });
  }
}

/** Another invitation to the address made its account while this one was being accepted. */
class AddressTaken extends Error {}

/** @throws {Problem} 409 `already_member` */
async function requireNoMember(tx: Transaction, organizationId: string, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email);
  if (!user || !(await findMember(tx, organizationId, user.id))) return;
  throw new Problem(409, 'already_member', 'The address belongs to a member already.');
}

/** @throws {Problem} 409 `plan_limit_reached`; open invitations are not counted, so that whoever comes first has the place */
async function requireSeat(tx: Transaction, { organization_id, plan }: AcceptedInvitationRow): Promise<void> {
  const members = await countAcceptedMembers(tx, organization_id);
  requireRoom(plan, 'members', members, ', and the organization has them; ask who invited you');
}

const noOpenInvitation = (): Problem => Problem.notFound('open invitation');

async function newAccount(email: string, { name, password }: Acceptance, now: Date): Promise<UserRow> {
  return { id: newId(), email, name, passwordHash: await hashPassword(password), isOperator: false, createdAt: now };
}
