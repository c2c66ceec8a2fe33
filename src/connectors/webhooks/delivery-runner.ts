import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem, asTenant } from '../../platform/database/scope.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/rounds.js';
import { findConnector } from '../connectors.queries.js';
import type { SourceOrder } from '../orders/order.js';
import { storeOrders } from '../orders/store-orders.js';
import { PlatformFault } from '../platform-fault.js';
import { checkOrder, understood } from '../platforms/pull-page.js';
import { findPlatform } from '../platforms/registry.js';
import { askToReconnect } from '../reconnect.js';
import { Sessions } from '../sessions.js';
import { claimDelivery, deleteOldDeliveries, type DueDelivery, endDelivery } from './deliveries.queries.js';

const INTERVAL_MS = 1_000;
const CLEANING_MS = 60 * 60_000;
/** Attempts at a notification whose order cannot be read; the next sync brings it all the same. */
const MOST_ATTEMPTS = 8;

/** Processes stored notifications. Every worker process has one. */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds();
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.begin(INTERVAL_MS, () => asSystem('webhooks of connectors', () => this.workOff()));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.rounds.end();
  }

  @Interval(CLEANING_MS)
  async removeOld(): Promise<void> {
    await asSystem('webhooks of connectors', () => deleteOldDeliveries(this.database)).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'old notifications could not be removed; the next round tries again'),
    );
  }

  private async workOff(): Promise<void> {
    try {
      while (!this.stopped) {
        const delivery = await claimDelivery(this.database);
        if (!delivery) return;
        await asTenant(delivery, () => this.process(delivery));
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'notifications could not be processed; the next round tries again');
    }
  }

  private async process(delivery: DueDelivery): Promise<void> {
    if (delivery.attempts > MOST_ATTEMPTS) {
      await endDelivery(this.database, delivery.id, 'given_up'); // it fails by a fault of ours
      return;
    }
    let orders: SourceOrder[];
    try {
      orders = await this.read(delivery);
    } catch (error) {
      if (!(error instanceof PlatformFault)) throw error;
      const final = ['refused', 'reconnect'].includes(error.kind) || delivery.attempts >= MOST_ATTEMPTS;
      this.logger.info({ delivery_id: delivery.id, fault: error.code, final }, 'a notification met a fault');
      await this.conclude(delivery, error, final);
      return;
    }
    await this.database.transaction(async (tx) => {
      const connector = await findConnector(tx, delivery, delivery.connectorId, 'lock');
      if (!connector) return;
      const { changed } = await storeOrders(tx, connector, orders, this.clock.now());
      await endDelivery(tx, delivery.id, orders.length === 0 ? 'ignored' : changed > 0 ? 'stored' : 'unchanged');
    });
  }

  /** What becomes of a notification whose order cannot be read; the next sync that works brings the order. */
  private async conclude(delivery: DueDelivery, fault: PlatformFault, final: boolean): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (fault.kind === 'reconnect') await askToReconnect(tx, delivery, fault, this.clock.now());
      if (final) await endDelivery(tx, delivery.id, fault.code);
    });
  }

  private async read({ body, topic, receivedAt, ...tenant }: DueDelivery): Promise<SourceOrder[]> {
    const connector = await findConnector(this.database, tenant, tenant.connectorId);
    if (!connector) return [];
    // an order that has to be asked for waits while the credentials do not work
    const api = this.sessions.open(connector, connector.reconnectReason ? AbortSignal.abort() : undefined);
    return understood(this.logger, async () => {
      const order = await findPlatform(connector.platform)?.webhook?.orderOf(body, topic, api, receivedAt);
      if (!order) return [];
      checkOrder(order);
      return [order];
    });
  }
}
