import { Processor } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { QueueProcessor } from '../../platform/queue/queue-processor.js';
import { PieceRunner } from '../work/piece-runner.js';
import { RUNS_QUEUE } from './run-waker.js';

/** Milliseconds until a process that lost its connection to the queue reconnects; BullMQ's default is fifteen seconds. */
const RETRY_DELAY_MS = 1_000;

/** Starts work when the process is woken. The state of the queue decides nothing. */
@Injectable()
@Processor(RUNS_QUEUE, { runRetryDelay: RETRY_DELAY_MS })
export class WakeUpProcessor extends QueueProcessor {
  constructor(
    @Inject(LOGGER) logger: Logger,
    private readonly runner: PieceRunner,
  ) {
    super(logger);
  }

  override async onApplicationBootstrap(): Promise<void> {
    this.worker.concurrency = this.runner.slots;
    await super.onApplicationBootstrap();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await this.runner.beforeApplicationShutdown(); // a piece in progress takes longer than the time allowed for closing the queue
    await super.beforeApplicationShutdown();
  }

  async process(): Promise<void> {
    await this.runner.work();
  }
}
