import { Injectable } from '@nestjs/common';
import { type MemberCaller, tenantOf } from '../../access/index.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { withBackgroundTimeout } from '../../platform/database/scope.js';
import type { PageQueryDto } from '../../platform/http/page-query.js';
import { idPage, type Page } from '../../platform/http/pagination.js';
import { newId } from '../../platform/ids.js';
import { lockWorkspace } from '../../series/index.js';
import type { ConnectorTenant } from '../connector.js';
import { restartReading } from '../connectors.queries.js';
import type { SyncDto } from '../dto/sync.dto.js';
import { retireForFullSync } from '../orders/retired-demand.js';
import { recordConnectorAct } from '../record-connector-act.js';
import { holdConnector, requireConnector } from '../require-connector.js';
import { endOpenSync, findOpenSync, listSyncs, openSync } from './syncs.queries.js';

const BEGUN_ANEW = { code: 'begun_anew', message: 'A member started a full sync, which replaces this one.' };

/** Syncs of a connector, as members of its workspace see and request them; workers execute them (sync-runner.ts). */
@Injectable()
export class SyncsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Requests a sync now; returns the open one if there is one. @throws {Problem} 404 */
  request(member: MemberCaller, connectorId: string): Promise<SyncDto> {
    const tenant = tenantOf(member);
    return this.database.transaction(async (tx) => {
      await holdConnector(tx, tenant, connectorId);
      return this.open(tx, member, connectorId);
    });
  }

  /** Requests a sync that reads everything again; an open one is ended. @throws {Problem} 404 */
  requestFull(member: MemberCaller, connectorId: string): Promise<SyncDto> {
    const tenant = tenantOf(member);
    const request = async (tx: Transaction): Promise<SyncDto> => {
      await lockWorkspace(tx, tenant);
      await holdConnector(tx, tenant, connectorId);
      const connector = { ...tenant, connectorId };
      await endOpenSync(tx, connector, BEGUN_ANEW);
      await retireForFullSync(tx, connector);
      await restartReading(tx, connector);
      return this.open(tx, member, connectorId);
    };
    return withBackgroundTimeout(() => this.database.transaction(request));
  }

  private async open(tx: Transaction, member: MemberCaller, connectorId: string): Promise<SyncDto> {
    const open = await openedSync(tx, { ...tenantOf(member), connectorId });
    await recordConnectorAct(tx, member, {
      action: 'connector.sync_requested',
      connectorId,
      details: { sync_id: open.id, full: open.full },
      now: this.clock.now(),
    });
    return open;
  }

  /** @throws {Problem} 404 */
  list(member: MemberCaller, connectorId: string, paging: PageQueryDto): Promise<Page<SyncDto>> {
    const tenant = tenantOf(member);
    return idPage('syncs', paging, async (slice) => {
      await requireConnector(this.database, tenant, connectorId);
      return listSyncs(this.database, tenant, connectorId, slice);
    });
  }
}

/** The open sync, or else a new one. */
async function openedSync(tx: Transaction, connector: ConnectorTenant): Promise<SyncDto> {
  // an open one may end between the two statements; the next belongs to this transaction and cannot
  for (let attempt = 0; attempt < 2; attempt++) {
    await openSync(tx, connector, newId(), 'manual');
    const open = await findOpenSync(tx, connector);
    if (open) return open;
  }
  throw new Error('a sync was opened and is not open');
}
