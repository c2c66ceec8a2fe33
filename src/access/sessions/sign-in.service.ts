import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import { hashPassword, verifyPassword } from '../users/password.js';
import { AccountMails } from '../mails/account-mails.js';
import { SecondFactorCheck } from '../second-factor/second-factor-check.js';
import { findUserByEmail, lockPassword, normalizeEmail, type UserRow } from '../users/users.queries.js';
import { FailedSignIns } from './failed-sign-ins.js';
import { openSession } from './sessions.queries.js';
import { clearAfterSuccess, takeAttempt } from '../attempts/attempt-limit.js';
import { signInSubjects, codeSubject } from '../attempts/attempt-subjects.js';
import { clearAttempts } from '../attempts/attempts.queries.js';

export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** Code of the second factor, if the account has one. */
  readonly code?: string;
  readonly address: string;
  readonly userAgent: string | null;
}

export interface SignedIn {
  /** Shown only in this reply. */
  readonly token: string;
  readonly expires_at: Date;
}

/** Opens sessions for those who know an account's password. */
@Injectable()
export class SignInService {
  /** Hash to verify the passwords of unknown accounts against, so that they take as long as known ones. */
  private readonly decoy = hashPassword('no account has this password, because nobody can be called so');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secondFactor: SecondFactorCheck,
    private readonly failures: FailedSignIns,
    private readonly mails: AccountMails,
  ) {}

  /**
   * @throws {Problem} 401 `credentials_invalid`, with the same wording for unknown accounts; 401 `second_factor_required`; 429
   * `too_many_attempts`
   */
  async signIn(attempt: SignIn): Promise<SignedIn> {
    const now = this.clock.now();
    const subjects = signInSubjects(normalizeEmail(attempt.email), attempt.address);
    await takeAttempt(this.database, subjects, now);
    const user = await this.checkPassword(attempt);
    if (attempt.code !== undefined) await takeAttempt(this.database, [codeSubject(user.id)], now);
    const changed = wrongPassword();
    const open = async (tx: Transaction): Promise<SignedIn> => {
      if (!(await lockPassword(tx, user))) throw changed;
      const factor = await this.secondFactor.require(tx, user.id, attempt.code);
      const purpose = 'to sign in to your account';
      if (factor === 'recovery_code')
        await this.mails.recoveryCodeUsed(tx, user.email, { purpose, address: attempt.address });
      await clearAfterSuccess(tx, subjects);
      await clearAttempts(tx, [codeSubject(user.id)]);
      return openAudited(tx, user, attempt, { second_factor: factor ?? null }, now);
    };
    return asSystem('sign-in', () => this.database.transaction(open)).catch(async (error: unknown) => {
      const code = error instanceof Problem ? error.code : undefined;
      if (code === 'second_factor_required') await clearAfterSuccess(this.database, subjects); // the password was correct
      if (code === 'credentials_invalid') {
        const wrong = error === changed ? 'password' : 'second_factor';
        await this.failures.note({ user, wrong, address: attempt.address });
      }
      throw error;
    });
  }

  /** @throws {Problem} 401 `credentials_invalid`, after the same time whether or not the account exists */
  private async checkPassword({ email, password, address }: SignIn): Promise<UserRow> {
    const user = await findUserByEmail(this.database, normalizeEmail(email));
    const matches = await verifyPassword(user?.passwordHash ?? (await this.decoy), password);
    if (user && matches) return user;
    await this.failures.note({ user, wrong: 'password', address });
    throw wrongPassword();
  }
}

/** Opens a session and records it in the audit log of the account. */
async function openAudited(
  tx: Transaction,
  user: UserRow,
  { address, userAgent }: SignIn,
  details: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<SignedIn> {
  const session = await openSession(tx, { userId: user.id, address, userAgent: userAgent?.slice(0, 300) ?? null, now });
  await recordAuditOfAccount(tx, user.id, {
    actor: { kind: 'user', id: user.id, name: user.email, address },
    action: 'session.opened',
    target: { kind: 'session', id: session.id },
    details,
    now,
  });
  return { token: session.token, expires_at: session.expiresAt };
}

const wrongPassword = (): Problem =>
  Problem.unauthenticated('credentials_invalid', 'The email address or password is wrong.');
