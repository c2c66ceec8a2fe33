import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { LeaseLost } from '../../platform/work/heartbeat.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { lockWorkspace } from '../../series/index.js';
import type { StoredConnector } from '../connector.js';
import { ConnectorInstruments } from '../connector-instruments.js';
import type { SourceOrder } from '../orders/order.js';
import { isDueToOrder, storeSetAside } from '../orders/orders-set-aside.js';
import { listSetAside, type OrderSetAside, upsertSetAside } from '../orders/orders-set-aside.queries.js';
import { PlatformFault } from '../platform-fault.js';
import type { ApiSession } from '../platforms/api-session.js';
import { pullOrder } from '../platforms/pull-page.js';
import { aboutOrder } from '../platforms/records.js';
import { PLATFORMS } from '../platforms/registry.js';
import { countPage, type LeasedSync, lockCursor } from './sync-work.queries.js';

/** Tries the orders again that are set aside, one by one. */
@Injectable()
export class SetAsideReader {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly instruments: ConnectorInstruments,
  ) {}

  /**
   * Reads those that have not been tried since the sync began. Only after a page, so that a platform that does not have an order is known to
   * be the right one. If it fails at something other than the order, the rest is left to the next sync, which begins with it.
   */
  async readDue(sync: LeasedSync, connector: StoredConnector, api: ApiSession): Promise<void> {
    const setAside = await listSetAside(this.database, connector, sync.id);
    for (const known of setAside.filter(({ due }) => due)) {
      try {
        await this.store(sync, connector, known.id, await this.readOrder(connector, api, known.id));
      } catch (fault) {
        if (fault instanceof LeaseLost) return; // the caller can store nothing either
        if (!(fault instanceof PlatformFault)) throw fault;
        if (api.hasEnded) return; // it says nothing about the order, which the next sync tries first
        this.instruments.fault(connector, fault.kind);
        await this.keep(
          connector,
          isDueToOrder(fault) ? { ...known, code: fault.code, message: fault.message } : known,
        );
        if (!isDueToOrder(fault)) return;
      }
    }
  }

  private readOrder(connector: StoredConnector, api: ApiSession, id: string): Promise<SourceOrder | undefined> {
    return aboutOrder(id, () => pullOrder(this.logger, () => PLATFORMS[connector.platform].readOrder!(api, id)));
  }

  private store(
    sync: LeasedSync,
    connector: StoredConnector,
    id: string,
    order: SourceOrder | undefined,
  ): Promise<void> {
    return this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, sync)) || !(await lockCursor(tx, sync.connectorId))) throw new LeaseLost();
      const platform = PLATFORMS[connector.platform];
      const stored = await storeSetAside(tx, connector, platform, { id, order, syncId: sync.id }, this.clock.now());
      const counts = {
        pages: 0,
        read: order ? 1 : 0,
        changed: stored.changed.size,
        skipped: stored.skipped,
        leftOut: stored.leftOut,
      };
      if (!(await countPage(tx, sync, counts))) throw new LeaseLost();
    });
  }

  /** Notes that it was tried, unless the connector was removed meanwhile. */
  private keep(connector: StoredConnector, order: OrderSetAside): Promise<void> {
    return this.database.transaction(async (tx) => {
      if (await lockCursor(tx, connector.connectorId)) await upsertSetAside(tx, connector, order);
    });
  }
}
