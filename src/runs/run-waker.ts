import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { JOB_OPTIONS } from '../platform/queue/queue.module.js';

export const RUNS_QUEUE = 'runs';

/** One piece of work of a run: planning it (`position` null) or one of its chunks. */
export interface RunWork {
  readonly runId: string;
  readonly position: number | null;
}

/** Milliseconds a caller waits for the queue; the reconciler finds what could not be enqueued. */
const ENQUEUE_DEADLINE = 1_000;

/** Wakes a worker for work that the database already records. Losing a wake-up costs seconds, never the work. */
@Injectable()
export class RunWaker implements OnModuleInit {
  constructor(
    @InjectQueue(RUNS_QUEUE) private readonly queue: Queue<RunWork>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.queue.on('error', () => undefined); // a lost connection fails the add below, where it is logged
  }

  /** Enqueues the work, never rejects, never waits longer than a second. */
  async wake(work: readonly RunWork[]): Promise<void> {
    if (work.length === 0) return;
    // the time in the id: a job of the same id that still lies around would swallow this one
    const stamp = Date.now().toString(36);
    const jobs = work.map((item) => ({
      name: item.position === null ? 'plan' : 'chunk',
      data: item,
      opts: { ...JOB_OPTIONS, jobId: `${item.runId}-${item.position ?? 'plan'}-${stamp}` },
    }));
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`the queue did not answer within ${ENQUEUE_DEADLINE} ms`)),
        ENQUEUE_DEADLINE,
      );
    });
    try {
      await Promise.race([this.queue.addBulk(jobs), deadline]);
    } catch (error) {
      this.logger.warn({ err: error, jobs: jobs.length }, 'could not wake a worker; the reconciler will');
    } finally {
      clearTimeout(timer);
    }
  }
}
