import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { STANDARD_PAGE } from '../../platform/http/page-query.js';
import { listPage, type Page } from '../../platform/http/pagination.js';
import type { MemberCaller } from '../guard/caller.js';
import type { ListAuditDto } from './audit.dto.js';
import type { AuditEvent } from './audit-event.js';
import { type ChainReport, verifyAuditChain } from './audit-log.js';
import { EVENT_ORDER, listEvents } from './audit.queries.js';
import { recordAuditBy } from './record-by.js';

/** What administrators read of their organization's audit log. */
@Injectable()
export class AuditService {
  private readonly verifications = new Map<string, Promise<ChainReport>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Newest first. @throws {Problem} 400 naming `cursor` */
  list(organizationId: string, query: ListAuditDto): Promise<Page<AuditEvent>> {
    const { action, actor_id: actorId, from, to } = query;
    return listPage(query, STANDARD_PAGE, EVENT_ORDER, (slice) =>
      listEvents(this.database, organizationId, { action, actorId, from, to, ...slice }),
    );
  }

  /** Reads the whole log: who asks while that is done waits for it, so that impatient callers do not add up. */
  verify(organizationId: string): Promise<ChainReport> {
    const begun = this.verifications.get(organizationId);
    if (begun) return begun;
    const work = verifyAuditChain(this.database, organizationId).finally(() =>
      this.verifications.delete(organizationId),
    );
    this.verifications.set(organizationId, work);
    return work;
  }

  /** Notes that events were taken away as a file. */
  async noteExport(caller: MemberCaller, events: number): Promise<void> {
    await this.database.transaction((tx) =>
      recordAuditBy(tx, caller, {
        action: 'audit_log.exported',
        target: { kind: 'organization', id: caller.organizationId },
        details: { events },
        occurredAt: this.clock.now(),
      }),
    );
  }
}
