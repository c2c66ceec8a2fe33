import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { requireOrder } from '../../platform/http/validation/range-order.js';
import { listPage, type Page } from '../../platform/http/pagination.js';
import { Problem } from '../../platform/http/problem.js';
import { canonicalId, isId } from '../../platform/ids.js';
import { SharedWork } from '../../platform/work/shared-work.js';
import type { UserCaller } from '../guard/caller.js';
import { AUDIT_ACTIONS } from './audit-action.js';
import type { ListAuditDto } from './audit.dto.js';
import { actorOf, type HashedEvent, PLATFORM_CHAIN } from './audit-event.js';
import { type ChainReport, recordAudit, verifyAuditChain } from './audit-log.js';
import { exportedEvents } from './exported-events.js';
import { EVENT_ORDER, hasAction, listEvents } from './audit.queries.js';

/** What administrators read in their organization's audit log, and operators in the platform's, whose organization is null. */
@Injectable()
export class AuditService {
  private readonly verifications = new SharedWork<ChainReport>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Newest first.
   * @throws {Problem} 400 naming `cursor`, a `to` before `from`, or an `action` that neither this release nor the log knows
   */
  async list(organizationId: string | null, query: ListAuditDto): Promise<Page<HashedEvent>> {
    const chain = organizationId ?? PLATFORM_CHAIN;
    const { action, actor_id: actorId, target_id: target, from, to } = query;
    const targetId = target !== undefined && isId(target) ? canonicalId(target) : target;
    requireOrder(query);
    if (action !== undefined && !(await this.knows(chain, action))) {
      throw Problem.invalid([{ param: 'action', message: `must be one of ${AUDIT_ACTIONS.join(', ')}` }]);
    }
    return listPage(query, EVENT_ORDER, (slice) =>
      listEvents(this.database, chain, { action, actorId, targetId, from, to, ...slice }),
    );
  }

  /** An earlier release may have written an action that this one does not know: then the log contains it. */
  private async knows(chain: string, action: string): Promise<boolean> {
    const named: readonly string[] = AUDIT_ACTIONS;
    return named.includes(action) || (await hasAction(this.database, chain, action));
  }

  /** Reads the whole log. Concurrent callers share one verification, so that repeated requests do not add up. */
  verify(organizationId: string | null): Promise<ChainReport> {
    const chain = organizationId ?? PLATFORM_CHAIN;
    return this.verifications.share(chain, () => verifyAuditChain(this.database, organizationId));
  }

  /** Records that events were exported as a file: which ones, and by which filter. */
  async noteExport(
    user: UserCaller,
    organizationId: string | null,
    { action, actor_id, target_id, from, to }: ListAuditDto,
    sequences: readonly number[],
  ): Promise<void> {
    await this.database.transaction((tx) =>
      recordAudit(tx, {
        organizationId,
        actor: actorOf(user),
        action: 'audit_log.exported',
        target:
          organizationId === null
            ? { kind: 'platform', id: PLATFORM_CHAIN }
            : { kind: 'organization', id: organizationId },
        details: { ...exportedEvents(sequences), filter: { action, actor_id, target_id, from, to } },
        now: this.clock.now(),
      }),
    );
  }
}
