import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import { Database } from '../platform/database/database.js';
import { asSystem } from '../platform/database/scope.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SETTINGS } from '../platform/platform.module.js';
import { claimDueWork } from './run-protocol.queries.js';
import { RunWaker } from './run-waker.js';

/** Pieces of work woken per tick: a backlog drains over ticks instead of flooding the queue. */
const BATCH = 200;

/**
 * Finds work that nobody is at (its wake-up was lost, its worker died, the queue was emptied) and wakes a worker for it.
 * Every worker process runs one; SKIP LOCKED and `wake_at` keep them from waking the same work twice.
 */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> = Promise.resolve();

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly waker: RunWaker,
  ) {}

  onApplicationBootstrap(): void {
    const interval = Math.min(2_000, this.settings.RUN_LEASE_MS * 0.4);
    let busy = false;
    this.timer = setInterval(() => {
      if (busy) return;
      busy = true;
      this.ticking = this.tick().finally(() => (busy = false));
    }, interval);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.ticking;
  }

  private async tick(): Promise<void> {
    try {
      const due = await asSystem('unattended work', () =>
        claimDueWork(this.database, BATCH, this.settings.RUN_LEASE_MS * 2),
      );
      await this.waker.wake(due.map((item) => ({ runId: item.run_id, position: item.position })));
    } catch (error) {
      this.logger.warn({ err: error }, 'the reconciler could not reach the database; it tries again');
    }
  }
}
