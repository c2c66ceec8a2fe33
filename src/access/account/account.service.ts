import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { actorOf } from '../audit/audit-event.js';
import type { UserCaller } from '../guard/caller.js';
import { AccountMails } from '../mails/account-mails.js';
import { listMembershipsOfUser } from '../organizations/members/memberships.queries.js';
import type { OwnMembershipBody } from '../sessions/sessions.dto.js';
import { type OwnerProof, SecondFactorCheck } from '../second-factor/second-factor-check.js';
import { provePassword } from '../sessions/current-password.js';
import { requireHardToGuess } from '../users/guessable-password.js';
import { hashPassword } from '../users/password.js';
import { changeName, changePassword } from './change-account.js';
import { deleteAccount } from './delete-account.js';

/** What signed-in users can do with their own account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly mails: AccountMails,
    private readonly secondFactor: SecondFactorCheck,
  ) {}

  /** Memberships, except in organizations whose deletion is due: these count as unknown everywhere. */
  async memberships(user: UserCaller): Promise<OwnMembershipBody[]> {
    const now = this.clock.now();
    const all = await asSystem('memberships of a user', () => listMembershipsOfUser(this.database, user.userId));
    return all.filter(({ delete_after: deleted }) => deleted === null || deleted > now);
  }

  async rename(user: UserCaller, name: string): Promise<void> {
    const change = { userId: user.userId, from: user.name, to: name };
    const by = { actor: actorOf(user), now: this.clock.now() };
    await asSystem('account of a user', () => this.database.transaction((tx) => changeName(tx, change, by)));
  }

  /**
   * Sets a new password and ends every other session.
   * @throws {Problem} 400 for a new one that is easy to guess; 403 `password_wrong`, `code_wrong`; 429 `too_many_attempts`
   */
  async changePassword(user: UserCaller, { password, code }: OwnerProof, next: string): Promise<void> {
    const account = await provePassword(this.database, user, password, this.clock.now());
    // takes some 20 ms of computing: only for who knows the password, and before a code counts as a guess
    await requireHardToGuess('new_password', next, user);
    const prove = await this.secondFactor.countCode(user, account, code, 'to change your password');
    const passwordHash = await hashPassword(next);
    const wanted = { user: account, passwordHash, keptSession: user.sessionId, action: 'password.changed' } as const;
    const by = { actor: actorOf(user), noticeActor: user, now: this.clock.now() };
    const change = async (tx: Transaction): Promise<void> => {
      await prove(tx);
      await changePassword(tx, this.mails, wanted, by);
    };
    await asSystem('account of a user', () => this.database.transaction(change));
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
