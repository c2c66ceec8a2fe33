import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../platform/database/database.js';
import { asTenant } from '../../platform/database/scope.js';
import { HOUR_MS } from '../../platform/durations.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/work/rounds.js';
import { SharedWork } from '../../platform/work/shared-work.js';
import { deleteOldDeliveries, deleteSurplusDeliveries, type DueDelivery, takeDelivery } from './deliveries.queries.js';
import { DeliveryReader } from './delivery-reader.js';

const INTERVAL_MS = 1_000;
/** Number of connectors per process whose notifications are processed at a time, so that an unresponsive shop blocks no other. */
const AT_ONCE = 4;
/** How often a process reads notifications of a connector before it deletes surplus ones: each time up to a hundred. */
const READS_PER_DELETION = 100;

/** Processes stored notifications. Every worker has one. */
@Injectable()
export class DeliveryRunner implements BeforeApplicationShutdown {
  /** By connector id. */
  private readonly working = new SharedWork<void>();
  /** Until when, in terms of `performance.now()`, those rest whose platform asked to wait, by connector id. */
  private readonly resting = new Map<string, number>();
  /** How often those of a connector were read, by its id. */
  private readonly reads = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly reader: DeliveryReader,
    private readonly rounds: Rounds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Interval(INTERVAL_MS)
  round(): Promise<void> {
    return this.rounds.make('webhooks of connectors', () => this.startDue());
  }

  @Interval(HOUR_MS)
  removeOld(): Promise<void> {
    return this.rounds.make('old webhooks of connectors', () => deleteOldDeliveries(this.database));
  }

  /** The last round has ended by now, so no further batch begins. One in progress goes on, but its requests fail. */
  beforeApplicationShutdown(): Promise<void> {
    return this.working.ended();
  }

  /** @returns whether one was started */
  private async startDue(): Promise<boolean> {
    if (this.working.size >= AT_ONCE) return false;
    const delivery = await takeDelivery(this.database, [...this.working.keys(), ...this.stillResting()]);
    if (!delivery) return false;
    // then look for further ones of the connector at once
    void this.working.share(delivery.connectorId, () => this.process(delivery)).then(() => this.round());
    return true;
  }

  private stillResting(): Iterable<string> {
    for (const [connectorId, until] of this.resting) if (until <= performance.now()) this.resting.delete(connectorId);
    return this.resting.keys();
  }

  private process(delivery: DueDelivery): Promise<void> {
    return asTenant(delivery, () => this.read(delivery)).catch((error: unknown) =>
      this.logger.warn({ err: error }, 'webhook deliveries could not be processed; they are retried'),
    );
  }

  private async read(delivery: DueDelivery): Promise<void> {
    const { connectorId } = delivery;
    const reads = this.reads.get(connectorId) ?? 0;
    this.reads.set(connectorId, reads + 1);
    if (reads % READS_PER_DELETION === 0) await deleteSurplusDeliveries(this.database, delivery);
    const restMs = await this.reader.read(delivery);
    this.resting.set(connectorId, performance.now() + restMs);
  }
}
