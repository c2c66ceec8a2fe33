import { WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from '../logging/logger.js';
import { Throttle } from '../logging/throttle.js';

/** Milliseconds between log lines about the connection of the same queue: an outage is one event, not thousands. */
const FAULT_LOG_INTERVAL_MS = 10_000;

/**
 * Processes jobs of a queue. Fails startup if it cannot connect, throttles its log of connection errors, stops before the database
 * does.
 */
export abstract class QueueProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly faults = new Throttle(FAULT_LOG_INTERVAL_MS);

  constructor(protected readonly logger: Logger) {
    super();
  }

  async onApplicationBootstrap(): Promise<void> {
    this.worker.on('error', (error) => {
      if (!this.faults.pass()) return;
      this.logger.warn({ err: error, queue: this.worker.name }, 'lost the connection to the queue; reconnecting');
    });
    await this.worker.waitUntilReady();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }
}
