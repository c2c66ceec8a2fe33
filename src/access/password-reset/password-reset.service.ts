import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { HOUR_MS, later } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import { newId } from '../../platform/ids.js';
import { changePassword } from '../account/change-account.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import { AccountMails } from '../mails/account-mails.js';
import { AfterReply } from '../sessions/after-reply.js';
import { takeAttempt } from '../attempts/attempt-limit.js';
import { signInSubjects, resetSubjects } from '../attempts/attempt-subjects.js';
import { clearAttempts } from '../attempts/attempts.queries.js';
import { generateLinkToken, hashLinkToken } from '../users/link-token.js';
import { requireHardToGuess } from '../users/guessable-password.js';
import { hashPassword } from '../users/password.js';
import { findUserByEmail, normalizeEmail, type UserRow } from '../users/users.queries.js';
import { findOwnerOfReset, insertPasswordReset, takePasswordReset } from './password-resets.queries.js';

const VALID_MS = HOUR_MS;

/** Replaces a forgotten password with a link sent to the account's email address. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    private readonly afterReply: AfterReply,
  ) {}

  /**
   * Sends a link if the address has an account. The response and its timing are the same if it has none.
   * @throws {Problem} 503 `mail_not_configured`; 429 `too_many_attempts`
   */
  async request(email: string, address: string): Promise<void> {
    if (!this.mails.configured) {
      throw new Problem(
        503,
        'mail_not_configured',
        'This installation does not send email. Ask an operator to set a new password.',
      );
    }
    const account = normalizeEmail(email);
    await takeAttempt(this.database, resetSubjects(account, address), this.clock.now());
    await this.afterReply.run('password reset', async () => {
      const user = await findUserByEmail(this.database, account);
      if (user) await this.send(user, address);
    });
  }

  /**
   * Sets the new password, ends all sessions and clears failed sign-ins from this address.
   * @throws {Problem} 400 for a password that is easy to guess: the link stays open; 404 for a token that is unknown, used or
   * expired, without distinction
   */
  async confirm(token: string, password: string, address: string): Promise<void> {
    const now = this.clock.now();
    const tokenHash = hashLinkToken(token);
    // checked and hashed only for a valid link, and before the transaction, which would hold a connection in the meantime
    const owner = await findOwnerOfReset(this.database, tokenHash, now);
    if (!owner) throw noOpenReset();
    await requireHardToGuess('new_password', password, owner);
    const passwordHash = await hashPassword(password);
    const change = async (tx: Transaction): Promise<void> => {
      const user = await takePasswordReset(tx, tokenHash, now);
      if (!user) throw noOpenReset();
      const [signIns] = signInSubjects(user.email, address);
      const [requests] = resetSubjects(user.email, address);
      await clearAttempts(tx, [signIns, requests]);
      const reset = {
        user,
        passwordHash,
        keptSession: null,
        action: 'password.reset',
        details: { by: 'link' },
      } as const;
      const actor = { kind: 'user', id: user.id, name: user.email, address } as const;
      await changePassword(tx, this.mails, reset, { actor, noticeActor: { address }, now });
    };
    await asSystem('password reset', () => this.database.transaction(change));
  }

  private async send(user: UserRow, address: string): Promise<void> {
    const now = this.clock.now();
    const token = generateLinkToken('fr');
    const expiresAt = later(now, VALID_MS);
    await this.database.transaction(async (tx) => {
      await insertPasswordReset(tx, {
        id: newId(),
        userId: user.id,
        tokenHash: hashLinkToken(token),
        createdAt: now,
        expiresAt,
      });
      await this.mails.passwordReset(tx, { to: user.email, token, address, expiresAt });
      await recordAuditOfAccount(tx, user.id, {
        actor: { kind: 'anonymous', id: null, name: 'not signed in', address },
        action: 'password.reset_requested',
        target: { kind: 'user', id: user.id },
        now,
      });
    });
  }
}

const noOpenReset = (): Problem => Problem.notFound('pending password reset');
