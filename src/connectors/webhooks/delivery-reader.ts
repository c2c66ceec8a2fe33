import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { lockWorkspace } from '../../series/index.js';
import type { StoredConnector } from '../connector.js';
import { ConnectorInstruments } from '../connector-instruments.js';
import { findConnector } from '../connectors.queries.js';
import { Reconnect } from '../credentials/reconnect.js';
import { Sessions } from '../credentials/sessions.js';
import type { SourceOrder } from '../orders/order.js';
import { setOrderAside } from '../orders/orders-set-aside.js';
import { storeOrders } from '../orders/store-orders.js';
import { PlatformFault } from '../platform-fault.js';
import { pullOrder } from '../platforms/pull-page.js';
import { PLATFORMS } from '../platforms/registry.js';
import { type DueDelivery, endDeliveries, takeFreshDelivery } from './deliveries.queries.js';

/** Time limit for a notification's requests to the platform, in milliseconds. */
const MAX_REQUEST_MS = 8_000;
/** Maximum number of notifications whose orders are stored together. */
const MAX_TOGETHER = 100;
/** Milliseconds after which the orders read so far are stored. */
const MAX_READING_MS = 5_000;
/** Attempts at a notification whose order cannot be read; the next sync reads it anyway. */
const MAX_ATTEMPTS = 8;

/** Maximum time in milliseconds for which the notifications of a connector rest, whatever its platform says. */
const MAX_REST_MS = MINUTE_MS;

/** The order of a notification; undefined if it is about none. */
interface ReadDelivery {
  readonly id: string;
  readonly order: SourceOrder | undefined;
}

/**
 * Processes stored notifications: reads their orders, from the platform if they only contain an id, and stores them. Those of one connector
 * are stored together, because most of the time goes into the months of the series, which a sale changes again and again.
 */
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

  /**
   * Processes the notification, and others of its connector that have not been tried yet. Call it in the scope of its tenant. Rejects for
   * internal errors, after which each of them is retried alone.
   * @returns milliseconds for which those of its connector rest, because the platform asked to wait
   */
  async read(delivery: DueDelivery): Promise<number> {
    const connector = await findConnector(this.database, delivery, delivery.connectorId);
    if (!connector) return 0; // removed, and the notification with it
    if (!connector.enabled) {
      await endDeliveries(this.database, [{ id: delivery.id, outcome: 'ignored' }]); // disabled since: the next sync finds its order
      this.instruments.webhookProcessed(connector, 'ignored');
      return 0;
    }
    if (delivery.attempts > MAX_ATTEMPTS) {
      await endDeliveries(this.database, [{ id: delivery.id, outcome: 'given_up' }]); // an internal error makes it fail
      this.instruments.webhookProcessed(connector, 'failed');
      return 0;
    }
    const { read, restMs } = await this.readWaiting(delivery, connector);
    if (read.length > 0) await this.store(connector, read);
    return restMs;
  }

  /** Reads notifications until none is waiting, one cannot be read, or they are to be stored. */
  private async readWaiting(
    first: DueDelivery,
    connector: StoredConnector,
  ): Promise<{ read: readonly ReadDelivery[]; restMs: number }> {
    const read: ReadDelivery[] = [];
    const until = performance.now() + MAX_READING_MS;
    // whatever made a notification fail must not make others fail again
    const atMost = first.attempts > 1 ? 1 : MAX_TOGETHER;
    for (let delivery: DueDelivery | undefined = first; delivery;) {
      try {
        read.push({ id: delivery.id, order: await this.orderOf(delivery, connector) });
      } catch (error) {
        if (!(error instanceof PlatformFault)) throw error;
        await this.conclude(delivery, connector, error);
        return { read, restMs: error.kind === 'wait' ? Math.min(error.waitMs, MAX_REST_MS) : 0 };
      }
      const isEnough = read.length === atMost || performance.now() > until;
      delivery = isEnough ? undefined : await takeFreshDelivery(this.database, connector.connectorId);
    }
    return { read, restMs: 0 };
  }

  private async store(connector: StoredConnector, read: readonly ReadDelivery[]): Promise<void> {
    const ended = await this.database.transaction(async (tx) => {
      if (!(await lockWorkspace(tx, connector))) return [];
      const locked = await findConnector(tx, connector, connector.connectorId, 'lock');
      if (!locked) return [];
      // disabled in the meantime
      const wanted = locked.enabled ? read.flatMap(({ order }) => order ?? []) : [];
      const { changed } = await storeOrders(tx, locked, wanted, this.clock.now());
      const ending = read.map(({ id, order }) => {
        if (!order || !locked.enabled) return { id, outcome: 'ignored' as const };
        return { id, outcome: changed.has(order.id) ? ('stored' as const) : ('unchanged' as const) };
      });
      return endDeliveries(tx, ending);
    });
    for (const { outcome } of ended) this.instruments.webhookProcessed(connector, outcome);
  }

  /**
   * The outcome for a notification whose order cannot be read. The next successful sync reads the order: if its list may not contain it,
   * because the change is not dated, it is set aside.
   */
  private async conclude(delivery: DueDelivery, connector: StoredConnector, fault: PlatformFault): Promise<void> {
    const isPassing = ['wait', 'passing'].includes(fault.kind);
    // no order is requested with credentials that do not work: the sync after they do reads it
    const refused = isPassing ? connector.reconnectReason?.code : undefined;
    const final = !isPassing || refused !== undefined || delivery.attempts >= MAX_ATTEMPTS;
    this.logger.info({ delivery_id: delivery.id, fault: fault.code, final }, 'a webhook delivery encountered an error');
    this.instruments.fault(connector, fault.kind);
    const setAside = await this.database.transaction(async (tx) => {
      if (fault.kind === 'reconnect') await this.reconnect.ask(tx, connector, fault, this.clock.now());
      if (!final) return undefined;
      const locked = await findConnector(tx, connector, connector.connectorId, 'lock');
      await endDeliveries(tx, [{ id: delivery.id, outcome: refused ?? fault.code }]);
      return locked && setOrderAside(tx, locked, PLATFORMS[locked.platform], fault);
    });
    if (setAside?.isNew) this.instruments.orderSetAside(connector);
    if (final) this.instruments.webhookProcessed(connector, 'failed');
  }

  private async orderOf(
    { body, topic, receivedAt }: DueDelivery,
    connector: StoredConnector,
  ): Promise<SourceOrder | undefined> {
    const api = this.sessions.open(
      connector,
      connector.reconnectReason ? AbortSignal.abort() : AbortSignal.timeout(MAX_REQUEST_MS),
      { patienceMs: 0 }, // other connectors have their turn meanwhile
    );
    const { webhook } = PLATFORMS[connector.platform];
    return webhook && pullOrder(this.logger, () => webhook.orderOf(body, topic, api, receivedAt));
  }
}
