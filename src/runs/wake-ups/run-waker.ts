import { randomUUID } from 'node:crypto';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobsOptions, Queue } from 'bullmq';
import { within } from '../../platform/work/deadline.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { JOB_OPTIONS } from '../../platform/queue/queue.module.js';

export const RUNS_QUEUE = 'runs';

/** Milliseconds that a caller waits for the queue. If it fails, idle workers find the work within seconds. */
const ENQUEUE_DEADLINE_MS = 1_000;

const wakeUp = (): JobsOptions => ({ ...JOB_OPTIONS, jobId: randomUUID() });

/**
 * Wakes workers. A wake-up says that there is work, but not which: by the time it arrives the database knows better. So it can
 * neither reach the wrong worker nor arrive at the wrong time, and a few are enough for any amount of work.
 */
@Injectable()
export class RunWaker implements OnModuleInit {
  private readonly wakeUps;

  constructor(
    @InjectQueue(RUNS_QUEUE) private readonly queue: Queue,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const help = 'Wake-ups sent to the queue, and those it did not accept; workers then find the work by polling.';
    this.wakeUps = metrics.counter('wake_ups_total', help, { outcome: ['enqueued', 'failed'] });
  }

  /** Fails startup if there is no queue: BullMQ would not connect to it later. */
  async onModuleInit(): Promise<void> {
    this.queue.on('error', () => undefined); // a lost connection fails the add below, where it is logged
    await this.queue.waitUntilReady();
  }

  /** Enqueues that many wake-ups; never rejects, never waits longer than a second. */
  async wake(count = 1): Promise<void> {
    try {
      // one by one: on PostgreSQL, BullMQ's addBulk creates and drops two tables, about 40 KB of write-ahead log for a wake-up
      const adding = Array.from({ length: count }, () => this.queue.add('work', {}, wakeUp()));
      const added = await within(ENQUEUE_DEADLINE_MS, Promise.all(adding));
      if (!added) throw new Error(`the queue did not answer within ${ENQUEUE_DEADLINE_MS} ms`);
      this.wakeUps.inc({ outcome: 'enqueued' }, count);
    } catch (error) {
      this.wakeUps.inc({ outcome: 'failed' }, count);
      this.logger.warn({ err: error }, 'could not wake a worker; it will find the work by polling');
    }
  }
}
