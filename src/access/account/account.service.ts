import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { actorOf } from '../audit/audit-event.js';
import type { UserCaller } from '../guard/caller.js';
import { changeName } from './change-account.js';

/** What signed-in users make of their own account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async rename(user: UserCaller, name: string): Promise<void> {
    const change = { userId: user.userId, from: user.name, to: name };
    const by = { actor: actorOf(user), now: this.clock.now() };
    await asSystem('account of a user', () => this.database.transaction((tx) => changeName(tx, change, by)));
  }
}
