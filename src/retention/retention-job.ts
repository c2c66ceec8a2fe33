import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { MINUTE_MS } from '../platform/durations.js';
import { Lifecycle } from '../platform/lifecycle.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Rounds } from '../platform/work/rounds.js';
import { type LeasedSweep, leaseNextSweep, sweep } from './sweep.js';

const INTERVAL_MS = 10 * MINUTE_MS;

/** Deletes what is due, once a day per organization. Every process runs the job; leases in the database divide the work. */
@Injectable()
export class RetentionJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sweeps every organization that is due. Never rejects. */
  @Interval(INTERVAL_MS)
  sweepDue(): Promise<void> {
    return this.rounds.make('retention', () => this.sweepNext());
  }

  /** @returns whether there was one to sweep */
  private async sweepNext(): Promise<boolean> {
    const next = await leaseNextSweep(this.database, this.clock);
    if (next) await this.sweep(next);
    return next !== undefined;
  }

  /** A sweep that fails is resumed when its lease expires, and does not prevent other organizations from being swept. */
  private async sweep(leased: LeasedSweep): Promise<void> {
    try {
      const report = await sweep(this.database, this.clock, leased, () => this.lifecycle.draining);
      if (!report) return;
      const { organization_id, organization_deleted, deleted } = report;
      const summary = { organization_id, organization_deleted, deleted };
      // every ten minutes for up to a day
      if (leased.due.ends && !organization_deleted)
        this.logger.debug(summary, 'a deletion is waiting for meter events');
      else this.logger.info(summary, 'retention applied');
    } catch (error) {
      this.logger.warn(
        { err: error, organization_id: leased.due.id },
        'data that is due for deletion could not be deleted',
      );
    }
  }
}
