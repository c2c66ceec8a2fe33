import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import type { LongPageQueryDto } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { canonicalId, isId } from '../../platform/ids.js';
import type { AuditAction } from '../audit/audit-action.js';
import { actorOf } from '../audit/audit-event.js';
import { recordAuditOfAccount } from '../audit/record-by.js';
import type { UserCaller } from '../guard/caller.js';
import { endSession, endSessions, listLiveSessions, type SessionRow } from './sessions.queries.js';

/** The sessions of signed-in users. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  list(user: UserCaller, paging: LongPageQueryDto): Promise<Page<SessionRow>> {
    return idPage('sessions', paging, (slice) => listLiveSessions(this.database, user.userId, this.clock.now(), slice));
  }

  /** Signs out of this session. Also succeeds if another request has just ended it. */
  async endOwn(user: UserCaller): Promise<void> {
    await this.close(user, user.sessionId);
  }

  /** @throws {Problem} 404 */
  async end(user: UserCaller, sessionId: string): Promise<void> {
    if (!isId(sessionId) || !(await this.close(user, sessionId))) throw Problem.notFound('session');
  }

  /** Ends all sessions, including this one. Also succeeds if another request has just ended them. */
  async endAll(user: UserCaller): Promise<void> {
    await this.audited(user, 'session.closed_all', { kind: 'user', id: user.userId }, async (tx, now) => {
      return (await endSessions(tx, user.userId, null, now)) > 0;
    });
  }

  /** @returns whether the user had such an open session */
  private close(user: UserCaller, sessionId: string): Promise<boolean> {
    return this.audited(user, 'session.closed', { kind: 'session', id: canonicalId(sessionId) }, (tx, now) =>
      endSession(tx, user.userId, sessionId, now),
    );
  }

  /** Runs a change in a transaction and, if it had an effect, records it in the audit log of every organization of the user. */
  private audited(
    user: UserCaller,
    action: AuditAction,
    target: { readonly kind: string; readonly id: string },
    work: (tx: Transaction, now: Date) => Promise<boolean>,
  ): Promise<boolean> {
    const now = this.clock.now();
    const change = async (tx: Transaction): Promise<boolean> => {
      if (!(await work(tx, now))) return false;
      await recordAuditOfAccount(tx, user.userId, { actor: actorOf(user), action, target, now });
      return true;
    };
    return asSystem('account of a user', () => this.database.transaction(change));
  }
}
