import { randomUUID } from 'node:crypto';
import { Processor } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { Settings } from '../../config/settings.js';
import { Database } from '../platform/database/database.js';
import { asSystem, asTenant } from '../platform/database/scope.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SETTINGS } from '../platform/platform.module.js';
import { QueueProcessor } from '../platform/queue/queue-processor.js';
import { WORKER_OPTIONS } from '../platform/queue/queue.module.js';
import { ChunkFitter } from './chunk-fitter.js';
import { RunEnder } from './run-ender.js';
import { RunPlanner } from './run-planner.js';
import { type Lease, leaseChunk, leaseRun, recordFailure } from './run-protocol.queries.js';
import { RUNS_QUEUE, type RunWork } from './run-waker.js';

/** Attempts that may end in an error before the run fails for good. */
const MAX_FAILURES = 5;
/** Times a piece of work may be taken up in all: one that kills its worker each time must not do so for ever. */
const MAX_EPOCHS = 50;
const RETRY_DELAY_MS = 1_000;

/** Takes work as it is woken, under a lease in the database; the queue's own state decides nothing. */
@Injectable()
@Processor(RUNS_QUEUE, { ...WORKER_OPTIONS, concurrency: 4 })
export class RunProcessor extends QueueProcessor {
  private readonly owner = randomUUID();

  constructor(
    @Inject(LOGGER) logger: Logger,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    private readonly planner: RunPlanner,
    private readonly fitter: ChunkFitter,
    private readonly ender: RunEnder,
  ) {
    super(logger);
  }

  async process(job: Job<RunWork>): Promise<void> {
    const { runId, position } = job.data;
    const leaseMs = this.settings.RUN_LEASE_MS;
    if (position === null) {
      const run = await asSystem('lease', () => leaseRun(this.database, runId, this.owner, leaseMs));
      if (run) await asTenant(run, () => this.attempt(runId, null, run.lease, () => this.planner.plan(runId, run)));
    } else {
      const chunk = await asSystem('lease', () => leaseChunk(this.database, runId, position, this.owner, leaseMs));
      if (!chunk) return;
      const fit = (): Promise<void> => this.fitter.fit(runId, position, chunk);
      await asTenant(chunk, () => this.attempt(runId, position, chunk.lease, fit));
    }
  }

  private async attempt(
    runId: string,
    position: number | null,
    lease: Lease,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      if (lease.epoch > MAX_EPOCHS) throw new Error(`taken up ${lease.epoch} times without an end`);
      await work();
    } catch (error) {
      this.logger.error({ err: error, run_id: runId, chunk: position }, 'work on a run failed');
      const failures = await recordFailure(this.database, runId, position, lease, RETRY_DELAY_MS);
      if (failures >= MAX_FAILURES || lease.epoch > MAX_EPOCHS) {
        await this.ender.fail(
          runId,
          'computation_failed',
          'The forecasts could not be computed. The run was not charged; start it again, and report it if it fails again.',
        );
      }
    }
  }
}
