import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { Problem } from '../../platform/http/problem.js';
import type { AuditActor } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { listMembershipsOfUser } from '../organizations/memberships.queries.js';
import { hashPassword, verifyPassword } from '../users/password.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { findUserByEmail, normalizeEmail } from '../users/users.queries.js';
import { openSession } from './sessions.queries.js';
import { attemptSubjects, clearAttempts, countAttempt } from './sign-in-attempts.queries.js';

export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator, where the account has a second factor. */
  readonly code?: string;
  readonly address: string;
  readonly userAgent: string | null;
}

export interface SignedIn {
  /** Shown in this reply only. */
  readonly token: string;
  readonly expires_at: string;
}

/** Opens sessions for those who know an account's password. */
@Injectable()
export class SignInService {
  /** What unknown accounts are checked against, so that they take as long as known ones. */
  private readonly decoy = hashPassword('no account has this password, because nobody can be called so');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secondFactor: SecondFactorService,
  ) {}

  /**
   * @throws {Problem} 401 `credentials_invalid`, worded alike for unknown accounts; 401 `second_factor_required`;
   * 429 `too_many_attempts`
   */
  async signIn(attempt: SignIn): Promise<SignedIn> {
    const now = this.clock.now();
    const email = normalizeEmail(attempt.email);
    const subjects = attemptSubjects(email, attempt.address);
    for (const subject of subjects) {
      const wait = await countAttempt(this.database, subject, now);
      if (wait !== undefined) throw tooManyAttempts(wait);
    }
    const user = await findUserByEmail(this.database, email);
    const matches = await verifyPassword(user?.password_hash ?? (await this.decoy), attempt.password);
    if (!user || !matches) throw new Problem(401, 'credentials_invalid', 'The email or the password is wrong.');
    const open = async (tx: Transaction): Promise<SignedIn> => {
      await this.secondFactor.require(tx, user.id, attempt.code);
      await clearAttempts(tx, subjects);
      const session = await openSession(tx, {
        userId: user.id,
        address: attempt.address,
        userAgent: attempt.userAgent?.slice(0, 300) ?? null,
        now,
      });
      const actor: AuditActor = { kind: 'user', id: user.id, name: user.email, address: attempt.address };
      const memberships = await listMembershipsOfUser(tx, user.id);
      // in the log of every organization the session reaches; in the platform's where it reaches none
      for (const organizationId of memberships.length === 0
        ? [null]
        : memberships.map(({ organization_id }) => organization_id)) {
        await recordAudit(tx, {
          organizationId,
          actor,
          action: 'session.opened',
          target: { kind: 'session', id: session.id },
          occurredAt: now,
        });
      }
      return { token: session.token, expires_at: session.expiresAt.toISOString() };
    };
    return asSystem('sign-in', () => this.database.transaction(open));
  }
}

function tooManyAttempts(seconds: number): Problem {
  return new Problem(429, 'too_many_attempts', `Too many attempts to sign in; try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
