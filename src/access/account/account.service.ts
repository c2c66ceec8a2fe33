import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { actorOf } from '../audit/audit-event.js';
import type { UserCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { takeAttempt } from '../sessions/attempt-limit.js';
import { provePassword, requireSamePassword } from '../sessions/current-password.js';
import { codeSubject } from '../sessions/sign-in-attempts.queries.js';
import { changeName } from './change-account.js';
import { deleteAccount } from './delete-account.js';

/** What signed-in users make of their own account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    private readonly secondFactor: SecondFactorService,
  ) {}

  async rename(user: UserCaller, name: string): Promise<void> {
    const change = { userId: user.userId, from: user.name, to: name };
    const by = { actor: actorOf(user), now: this.clock.now() };
    await asSystem('account of a user', () => this.database.transaction((tx) => changeName(tx, change, by)));
  }

  /**
   * Deletes the account for good ({@link deleteAccount}).
   * @throws {Problem} 403 `password_wrong`, `code_wrong`; 409 `last_owner`; 429 `too_many_attempts`
   */
  async delete(
    user: UserCaller,
    { password, code }: { readonly password: string; readonly code?: string },
  ): Promise<void> {
    const now = this.clock.now();
    const account = await provePassword(this.database, user, password, now);
    if (code !== undefined) await takeAttempt(this.database, [codeSubject(user.userId)], now);
    const prove = async (tx: Transaction): Promise<void> => {
      await requireSamePassword(tx, account);
      await this.secondFactor.prove(tx, user.userId, code);
    };
    const by = { actor: actorOf(user), told: user, now };
    await asSystem('account of a user', () =>
      deleteAccount(this.database, this.mails, { user: account, prove, ...by }),
    );
  }
}
