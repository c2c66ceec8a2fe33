import { Processor } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { QueueProcessor } from '../platform/queue/queue-processor.js';
import { WORKER_OPTIONS } from '../platform/queue/queue.module.js';
import { RUNS_QUEUE } from './run-waker.js';
import { RunWorker } from './run-worker.js';

/** Has the process work when it is woken; the queue's own state decides nothing. */
@Injectable()
@Processor(RUNS_QUEUE, WORKER_OPTIONS)
export class RunProcessor extends QueueProcessor {
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

  async process(): Promise<void> {
    await this.runWorker.work();
  }
}
