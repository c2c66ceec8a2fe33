import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { lockWorkspace } from '../../series/index.js';
import type { StoredConnector } from '../connector.js';
import { ConnectorInstruments } from '../connector-instruments.js';
import { findConnector } from '../connectors.queries.js';
import type { SourceOrder } from '../orders/order.js';
import { storeOrders } from '../orders/store-orders.js';
import { PlatformFault } from '../platform-fault.js';
import { catchMalformed } from '../platforms/pull-page.js';
import { isReadable } from '../platforms/records.js';
import { PLATFORMS } from '../platforms/registry.js';
import { Reconnect } from '../reconnect.js';
import { Sessions } from '../sessions.js';
import { type DueDelivery, endDelivery } from './deliveries.queries.js';

/** Time limit for a notification's requests to the platform, in milliseconds. */
const LONGEST_MS = 8_000;
/** Attempts at a notification whose order cannot be read; the next sync reads it anyway. */
const MAX_ATTEMPTS = 8;

/** Processes a stored notification: reads its order, from the platform if it only contains an id, and stores it. */
@Injectable()
export class DeliveryReader {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    private readonly reconnect: Reconnect,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly instruments: ConnectorInstruments,
  ) {}

  /** Call it in the scope of its tenant. Rejects for internal errors, after which the notification is retried. */
  async read(delivery: DueDelivery): Promise<void> {
    const connector = await findConnector(this.database, delivery, delivery.connectorId);
    if (!connector) return; // removed, and the notification with it
    if (!connector.enabled) {
      await endDelivery(this.database, delivery.id, 'ignored'); // disabled since: the next sync finds its order
      this.instruments.webhookProcessed(connector, 'ignored');
      return;
    }
    if (delivery.attempts > MAX_ATTEMPTS) {
      await endDelivery(this.database, delivery.id, 'given_up'); // an internal error makes it fail
      this.instruments.webhookProcessed(connector, 'failed');
      return;
    }
    let orders: SourceOrder[];
    try {
      orders = await this.ordersOf(delivery, connector);
    } catch (error) {
      if (!(error instanceof PlatformFault)) throw error;
      const final = !['wait', 'passing'].includes(error.kind) || delivery.attempts >= MAX_ATTEMPTS;
      this.logger.info(
        { delivery_id: delivery.id, fault: error.code, final },
        'a webhook delivery encountered an error',
      );
      await this.conclude(delivery, connector, error, final);
      return;
    }
    const outcome = await this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, delivery))) return undefined;
      const locked = await findConnector(tx, delivery, delivery.connectorId, 'lock');
      if (!locked) return undefined;
      const wanted = locked.enabled ? orders : []; // disabled in the meantime
      const { changed } = await storeOrders(tx, locked, wanted, this.clock.now());
      const result = wanted.length === 0 ? 'ignored' : changed > 0 ? 'stored' : 'unchanged';
      return (await endDelivery(tx, delivery.id, result)) ? result : undefined;
    });
    if (outcome) this.instruments.webhookProcessed(connector, outcome);
  }

  /** The outcome for a notification whose order cannot be read; the next successful sync reads the order. */
  private async conclude(
    delivery: DueDelivery,
    connector: StoredConnector,
    fault: PlatformFault,
    final: boolean,
  ): Promise<void> {
    this.instruments.fault(connector, fault.kind);
    await this.database.transaction(async (tx) => {
      if (fault.kind === 'reconnect') await this.reconnect.ask(tx, connector, fault, this.clock.now());
      if (final) await endDelivery(tx, delivery.id, fault.code);
    });
    if (final) this.instruments.webhookProcessed(connector, 'failed');
  }

  private async ordersOf({ body, topic, receivedAt }: DueDelivery, connector: StoredConnector): Promise<SourceOrder[]> {
    // an order that must be requested waits while the credentials do not work
    const api = this.sessions.open(
      connector,
      connector.reconnectReason ? AbortSignal.abort() : AbortSignal.timeout(LONGEST_MS),
    );
    return catchMalformed(this.logger, async () => {
      const order = await PLATFORMS[connector.platform].webhook?.orderOf(body, topic, api, receivedAt);
      if (!order) return [];
      if (!isReadable(order)) throw new RangeError('not an order');
      return [order];
    });
  }
}
