import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../platform/database/database.js';
import { asSystem, asTenant } from '../../platform/database/scope.js';
import { HOUR_MS } from '../../platform/durations.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/rounds.js';
import { deleteOldDeliveries, takeDelivery } from './deliveries.queries.js';
import { DeliveryReader } from './delivery-reader.js';

const INTERVAL_MS = 1_000;
/** Notifications processed by one process at a time, each from a different connector, so that an unresponsive shop blocks no other. */
const AT_ONCE = 4;

/** Processes stored notifications, several at a time. Every worker has one. */
@Injectable()
export class DeliveryRunner implements BeforeApplicationShutdown {
  private readonly lanes = new Set<Promise<void>>();
  /** Connectors whose notifications are being processed. */
  private readonly busy = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly reader: DeliveryReader,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does not wait for the work: it runs in the lanes, some of which may continue while others are opened. */
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

  /** Processes one notification after the other until none is due; if there is one there may be more, for another lane. */
  private async workOff(): Promise<void> {
    try {
      while (!this.lifecycle.draining) {
        const delivery = await takeDelivery(this.database, [...this.busy]);
        if (!delivery) return;
        this.busy.add(delivery.connectorId);
        this.openLane();
        await asTenant(delivery, () => this.reader.read(delivery)).finally(() =>
          this.busy.delete(delivery.connectorId),
        );
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'webhook deliveries could not be processed; the next round retries');
    }
  }
}
