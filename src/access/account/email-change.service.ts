import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { HOUR_MS, later } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import type { UserCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { type OwnerProof, SecondFactorCheck } from '../second-factor/second-factor-check.js';
import { AfterReply } from '../sessions/after-reply.js';
import { requireNoWait, takeAttempt } from '../attempts/attempt-limit.js';
import { emailChangeSubject } from '../attempts/attempt-subjects.js';
import { generateLinkToken, hashLinkToken } from '../users/link-token.js';
import { findUserByEmail, lockPassword, normalizeEmail, type UserRow } from '../users/users.queries.js';
import { changeEmail } from './change-account.js';
import { putEmailChange, takeEmailChange } from './email-changes.queries.js';

const VALID_MS = HOUR_MS;

/** Changes the email address of an account once a link sent to the new address proves that it is the user's. */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    private readonly secondFactor: SecondFactorCheck,
    private readonly afterReply: AfterReply,
  ) {}

  /**
   * Sends a link to the new address. If the address already has an account, no link is sent, but the response and its timing are
   * the same.
   * @throws {Problem} 400 for the account's current address; 403 `password_wrong`, `code_wrong`; 429 `too_many_attempts`; 503
   * `mail_not_configured`: nobody could prove that an address is theirs
   */
  async request(user: UserCaller, wanted: OwnerProof & { readonly email: string }): Promise<void> {
    if (!this.mails.configured) {
      throw new Problem(
        503,
        'mail_not_configured',
        'This installation does not send email. Ask an operator to change the address.',
      );
    }
    const email = normalizeEmail(wanted.email);
    if (email === user.email) {
      throw Problem.invalid([{ param: 'email', message: 'must differ from the current address of the account' }]);
    }
    const links = [emailChangeSubject(user.userId)];
    await requireNoWait(this.database, links, this.clock.now()); // before a code counts as a guess
    const { account, prove } = await this.secondFactor.proveOwner(
      user,
      wanted,
      'to request a change of your email address',
    );
    const admit = async (tx: Transaction): Promise<void> => {
      await prove(tx);
      // in the transaction, so that a refused request does not consume a code
      await takeAttempt(tx, links, this.clock.now());
    };
    await asSystem('change of an address', () => this.database.transaction(admit));
    await this.afterReply.run('change of an address', () => this.send(user, account, email));
  }

  /** @throws {Problem} 404 for a token that is unknown, used or expired, without distinction; 409 `email_taken` */
  async confirm(token: string, address: string): Promise<void> {
    const now = this.clock.now();
    const change = async (tx: Transaction): Promise<void> => {
      const taken = await takeEmailChange(tx, hashLinkToken(token), now);
      if (!taken) throw Problem.notFound('pending change of email address');
      const actor = { kind: 'user', id: taken.userId, name: taken.from, address } as const;
      await changeEmail(tx, this.mails, taken, { actor, noticeActor: { address }, now });
    };
    await asSystem('change of an address', () => this.database.transaction(change));
  }

  private async send(user: UserCaller, account: UserRow, email: string): Promise<void> {
    if (await findUserByEmail(this.database, email)) return;
    const now = this.clock.now();
    const token = generateLinkToken('fe');
    const expiresAt = later(now, VALID_MS);
    await this.database.transaction(async (tx) => {
      if (!(await lockPassword(tx, account))) return; // changed since it was given
      await putEmailChange(tx, {
        userId: account.id,
        email,
        tokenHash: hashLinkToken(token),
        createdAt: now,
        expiresAt,
      });
      await this.mails.confirmEmail(tx, { to: email, token, address: user.address, expiresAt });
      await recordAuditOfAccount(tx, account.id, {
        actor: actorOf(user),
        action: 'email.change_requested',
        target: { kind: 'user', id: account.id },
        details: { to: email },
        now,
      });
    });
  }
}
