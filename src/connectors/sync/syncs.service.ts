import { Injectable } from '@nestjs/common';
import { type MemberCaller, tenantOf } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { type PageQueryDto, STANDARD_PAGE } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { newId } from '../../platform/ids.js';
import type { ConnectorTenant } from '../connector.js';
import { recordConnectorAct } from '../record-connector-act.js';
import { holdConnector, requireConnector } from '../require-connector.js';
import { findOpenSync, listSyncs, openSync, type Sync } from './syncs.queries.js';

/** Syncs of a connector, as members of its workspace see and ask for them; workers do them (sync-runner.ts). */
@Injectable()
export class SyncsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Asks for a sync now; where one is open, that is the answer. @throws {Problem} 404 */
  request(member: MemberCaller, connectorId: string): Promise<Sync> {
    const tenant = tenantOf(member);
    return this.database.transaction(async (tx) => {
      await holdConnector(tx, tenant, connectorId);
      const open = await openedSync(tx, { ...tenant, connectorId });
      await recordConnectorAct(tx, member, {
        action: 'connector.sync_requested',
        connectorId,
        details: { sync_id: open.id },
        occurredAt: this.clock.now(),
      });
      return open;
    });
  }

  /** @throws {Problem} 404 */
  list(member: MemberCaller, connectorId: string, paging: PageQueryDto): Promise<Page<Sync>> {
    const tenant = tenantOf(member);
    return idPage(paging, STANDARD_PAGE, async (slice) => {
      await requireConnector(this.database, tenant, connectorId);
      return listSyncs(this.database, tenant, connectorId, slice);
    });
  }
}

/** The sync that is open, or else a new one. */
async function openedSync(tx: Transaction, connector: ConnectorTenant): Promise<Sync> {
  // one that is open may end between the two statements; the next is of this transaction and cannot
  for (let attempt = 0; attempt < 2; attempt++) {
    await openSync(tx, connector, newId(), 'manual');
    const open = await findOpenSync(tx, connector);
    if (open) return open;
  }
  throw new Error('a sync was opened and is not open');
}
