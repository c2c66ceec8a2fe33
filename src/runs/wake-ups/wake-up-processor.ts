import { Processor } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { QueueProcessor } from '../../platform/queue/queue-processor.js';
import { RunWorker } from '../work/run-worker.js';
import { RUNS_QUEUE } from './run-waker.js';

/** Milliseconds until a worker listens again that lost the queue's connection; BullMQ would take fifteen seconds. */
const RETRY_DELAY = 1_000;

/** Has the process work when it is woken; the queue's own state decides nothing. */
@Injectable()
@Processor(RUNS_QUEUE, { runRetryDelay: RETRY_DELAY })
export class WakeUpProcessor extends QueueProcessor {
  constructor(
    @Inject(LOGGER) logger: Logger,
    private readonly runWorker: RunWorker,
  ) {
    super(logger);
  }

  override async onApplicationBootstrap(): Promise<void> {
    this.worker.concurrency = this.runWorker.slots;
    await super.onApplicationBootstrap();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await this.runWorker.beforeApplicationShutdown(); // a piece at hand takes longer than the queue is waited for
    await super.beforeApplicationShutdown();
  }

  async process(): Promise<void> {
    await this.runWorker.work();
  }
}
