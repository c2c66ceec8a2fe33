import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem, asTenant } from '../../platform/database/scope.js';
import { HOUR_MS } from '../../platform/durations.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/rounds.js';
import { lockWorkspace } from '../../series/index.js';
import type { StoredConnector } from '../connector.js';
import { ConnectorInstruments } from '../connector-instruments.js';
import { findConnector } from '../connectors.queries.js';
import type { SourceOrder } from '../orders/order.js';
import { storeOrders } from '../orders/store-orders.js';
import { PlatformFault } from '../platform-fault.js';
import { checkOrder, understood } from '../platforms/pull-page.js';
import { findPlatform } from '../platforms/registry.js';
import { Reconnect } from '../reconnect.js';
import { Sessions } from '../sessions.js';
import { deleteOldDeliveries, type DueDelivery, endDelivery, takeDelivery } from './deliveries.queries.js';

const INTERVAL_MS = 1_000;
/** Notifications that one process works on at a time, each of another connector: a shop that hangs holds no other up. */
const AT_ONCE = 4;
/** Longest that the questions of one notification may take, in milliseconds. */
const LONGEST_MS = 8_000;
/** Attempts at a notification whose order cannot be read; the next sync brings it all the same. */
const MOST_ATTEMPTS = 8;

/** Processes stored notifications. Every worker has one. */
@Injectable()
export class DeliveryRunner implements BeforeApplicationShutdown {
  private readonly lanes = new Set<Promise<void>>();
  /** Connectors whose notifications are being worked on. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: Sessions,
    private readonly reconnect: Reconnect,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly instruments: ConnectorInstruments,
  ) {}

  /** Waits for none of the work: it is in the lanes, of which one may go on while others are opened. */
  @Interval(INTERVAL_MS)
  openLane(): void {
    if (this.lifecycle.draining || this.lanes.size >= AT_ONCE) return;
    const lane = asSystem('webhooks of connectors', () => this.workOff()).finally(() => this.lanes.delete(lane));
    this.lanes.add(lane);
  }

  @Interval(HOUR_MS)
  removeOld(): Promise<void> {
    return this.rounds.make('old webhooks of connectors', () => deleteOldDeliveries(this.database));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.lanes);
  }

  /** Works on one notification after the other until none is due; where there is one there may be more, for another lane. */
  private async workOff(): Promise<void> {
    try {
      while (!this.lifecycle.draining) {
        const delivery = await takeDelivery(this.database, [...this.busy]);
        if (!delivery) return;
        this.busy.add(delivery.connectorId);
        this.openLane();
        await asTenant(delivery, () => this.process(delivery)).finally(() => this.busy.delete(delivery.connectorId));
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'notifications could not be processed; the next round tries again');
    }
  }

  private async process(delivery: DueDelivery): Promise<void> {
    const connector = await findConnector(this.database, delivery, delivery.connectorId);
    if (!connector) return; // removed, and the notification with it
    if (!connector.enabled) {
      await endDelivery(this.database, delivery.id, 'ignored'); // switched off since: the next sync finds its order
      this.instruments.webhookProcessed(connector, 'ignored');
      return;
    }
    if (delivery.attempts > MOST_ATTEMPTS) {
      await endDelivery(this.database, delivery.id, 'given_up'); // it fails by a fault of ours
      this.instruments.webhookProcessed(connector, 'failed');
      return;
    }
    let orders: SourceOrder[];
    try {
      orders = await this.read(delivery, connector);
    } catch (error) {
      if (!(error instanceof PlatformFault)) throw error;
      const final = !['wait', 'passing'].includes(error.kind) || delivery.attempts >= MOST_ATTEMPTS;
      this.logger.info({ delivery_id: delivery.id, fault: error.code, final }, 'a notification met a fault');
      await this.conclude(delivery, connector, error, final);
      return;
    }
    const outcome = await this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, delivery))) return undefined;
      const locked = await findConnector(tx, delivery, delivery.connectorId, 'lock');
      if (!locked) return undefined;
      const wanted = locked.enabled ? orders : []; // switched off meanwhile
      const { changed } = await storeOrders(tx, locked, wanted, this.clock.now());
      const came = wanted.length === 0 ? 'ignored' : changed > 0 ? 'stored' : 'unchanged';
      return (await endDelivery(tx, delivery.id, came)) ? came : undefined;
    });
    if (outcome) this.instruments.webhookProcessed(connector, outcome);
  }

  /** What becomes of a notification whose order cannot be read; the next sync that works brings the order. */
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

  private async read({ body, topic, receivedAt }: DueDelivery, connector: StoredConnector): Promise<SourceOrder[]> {
    // an order that has to be asked for waits while the credentials do not work
    const api = this.sessions.open(
      connector,
      connector.reconnectReason ? AbortSignal.abort() : AbortSignal.timeout(LONGEST_MS),
    );
    return understood(this.logger, async () => {
      const order = await findPlatform(connector.platform)?.webhook?.orderOf(body, topic, api, receivedAt);
      if (!order) return [];
      checkOrder(order);
      return [order];
    });
  }
}
