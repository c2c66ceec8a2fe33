import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import type { MemberRole } from '../../platform/http/access-declaration.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { AccountMails } from '../mails/account-mails.js';
import { addMembership, countAcceptedMembers, findMember } from '../organizations/members/memberships.queries.js';
import { findOrganization } from '../organizations/organizations.queries.js';
import { requireRoom } from '../organizations/plans/plan-limits.js';
import { clearAfterSuccess, takeAttempt } from '../attempts/attempt-limit.js';
import { FailedSignIns } from '../sessions/failed-sign-ins.js';
import { signInSubjects } from '../attempts/attempt-subjects.js';
import { createUser } from '../users/create-user.js';
import { requireHardToGuess } from '../users/guessable-password.js';
import { hashLinkToken } from '../users/link-token.js';
import { requireNotBlank } from '../users/password-fields.js';
import { hashPassword, verifyPassword } from '../users/password.js';
import { findUserByEmail, type UserRow } from '../users/users.queries.js';
import { type AcceptedInvitationRow, acceptInvitation, findInvitedEmail } from './invitations.queries.js';
import type { AcceptedInvitationBody } from './invitations.dto.js';

export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

/** Accepts invitations: whoever holds the link becomes a member. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    private readonly failures: FailedSignIns,
  ) {}

  /**
   * Makes the holder of the link a member: with a new account, or with the existing account of the address and its password.
   * @throws {Problem} 400 for a new password that is easy to guess; 404 for a token that is unknown, used, revoked, expired, or
   * from a sender who may no longer invite, without distinction; 401 `credentials_invalid`; 409 `plan_limit_reached` if the plan
   * was downgraded in the meantime: the invitation stays open; 429
   */
  accept(acceptance: Acceptance): Promise<AcceptedInvitationBody> {
    return this.tryToAccept(acceptance).catch((error: unknown) => {
      if (error instanceof AddressTaken) return this.tryToAccept(acceptance); // now with the password of that account
      throw error;
    });
  }

  private tryToAccept(acceptance: Acceptance): Promise<AcceptedInvitationBody> {
    return asSystem('invitation', async () => {
      const now = this.clock.now();
      const tokenHash = hashLinkToken(acceptance.token);
      const email = await findInvitedEmail(this.database, tokenHash, now);
      if (email === undefined) throw noOpenInvitation();
      // before the transaction, which must neither hold a connection while a password is hashed nor roll back a counted failure
      const known = await findUserByEmail(this.database, email);
      if (known) await this.checkPassword(known, acceptance, now);
      const account = known ?? (await newAccount(email, acceptance, now));
      const by = { actor: { kind: 'user', id: account.id, name: email, address: acceptance.address }, now } as const;
      return this.database.transaction(async (tx) => {
        const invitation = await acceptInvitation(tx, tokenHash, now);
        if (!invitation) throw noOpenInvitation();
        if (!known && !(await createUser(tx, account, by.actor))) throw new AddressTaken();
        await tx.narrowTo({ organizationId: invitation.organization_id, workspaceId: null });
        const role = await this.join(tx, invitation, account.id, by);
        return { organization_id: invitation.organization_id, email, role };
      });
    });
  }

  /** @returns the role: someone who has become a member since the invitation keeps theirs */
  private async join(
    tx: Transaction,
    invitation: AcceptedInvitationRow,
    userId: string,
    { actor, now }: Attribution,
  ): Promise<MemberRole> {
    const { id, organization_id: organizationId } = invitation;
    if (!(await findMember(tx, organizationId, userId))) await requireSeat(tx, invitation);
    const role = await addMembership(tx, organizationId, { userId, role: invitation.role, now });
    await this.notifyInviter(tx, { ...invitation, role });
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'invitation.accepted',
      target: { kind: 'invitation', id },
      details: { role },
      now,
    });
    return role;
  }

  private async checkPassword(user: UserRow, { password, address }: Acceptance, now: Date): Promise<void> {
    const subjects = signInSubjects(user.email, address);
    await takeAttempt(this.database, subjects, now);
    if (!(await verifyPassword(user.passwordHash, password))) {
      await this.failures.note({ user, wrong: 'password', address });
      throw Problem.unauthenticated(
        'credentials_invalid',
        'The address already has an account. Enter the password of that account.',
      );
    }
    await clearAfterSuccess(this.database, subjects);
  }

  private async notifyInviter(
    tx: Transaction,
    { organization_id, invited_by, email, role }: AcceptedInvitationRow,
  ): Promise<void> {
    const inviter = await findMember(tx, organization_id, invited_by);
    const organization = await findOrganization(tx, organization_id);
    if (!inviter || !organization) return;
    await this.mails.invitationAccepted(tx, { to: inviter.email, guest: email, organization: organization.name, role });
  }
}

/** Another invitation to the address created its account while this one was being accepted. */
class AddressTaken extends Error {}

/** @throws {Problem} 409 `plan_limit_reached`; open invitations are not counted: first come, first served */
async function requireSeat(tx: Transaction, { organization_id, plan }: AcceptedInvitationRow): Promise<void> {
  const members = await countAcceptedMembers(tx, organization_id);
  requireRoom(
    plan,
    'members',
    members,
    ', and the organization has reached this limit. Contact the person who invited you',
  );
}

const noOpenInvitation = (): Problem => Problem.notFound('open invitation');

/** @throws {Problem} 400 for a password that is blank or easy to guess */
async function newAccount(email: string, { name, password }: Acceptance, now: Date): Promise<UserRow> {
  requireNotBlank(password);
  await requireHardToGuess('password', password, { email, name });
  return { id: newId(), email, name, passwordHash: await hashPassword(password), isOperator: false, createdAt: now };
}
