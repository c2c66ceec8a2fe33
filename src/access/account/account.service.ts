import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { actorOf } from '../audit/audit-event.js';
import type { UserCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { type OwnerProof, SecondFactorService } from '../second-factor/second-factor.service.js';
import { changeName } from './change-account.js';
import { deleteAccount } from './delete-account.js';

/** What signed-in users can do with their own account. */
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
   * Permanently deletes the account ({@link deleteAccount}).
   * @throws {Problem} 403 `password_wrong`, `code_wrong`; 409 `last_owner`; 429 `too_many_attempts`
   */
  async delete(user: UserCaller, proof: OwnerProof): Promise<void> {
    const now = this.clock.now();
    const { account, prove } = await this.secondFactor.proveOwner(user, proof);
    const by = { actor: actorOf(user), noticeActor: user, now };
    await asSystem('account of a user', () =>
      deleteAccount(this.database, this.mails, { user: account, prove, ...by }),
    );
  }
}
