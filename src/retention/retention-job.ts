import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { asSystem } from '../platform/database/scope.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { Rounds } from '../platform/rounds.js';
import { sweepNext } from './sweep.js';

const INTERVAL_MS = 10 * 60_000;

/** Deletes what is due, once a day in each organization. Every process has one; leases in the database divide the work. */
@Injectable()
export class RetentionJob implements BeforeApplicationShutdown {
  private readonly rounds = new Rounds();
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sweeps every organization that is due; never rejects. */
  @Interval(INTERVAL_MS)
  sweepDue(): Promise<void> {
    return this.rounds.join(() => asSystem('retention', () => this.sweepAll()));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.rounds.end();
  }

  private async sweepAll(): Promise<void> {
    try {
      for (;;) {
        const report = await sweepNext(this.database, this.clock, () => this.stopping);
        if (!report) return;
        const { organization_id, organization_deleted, deleted } = report;
        this.logger.info({ organization_id, organization_deleted, deleted }, 'retention applied');
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'what is due could not be deleted; the next round goes on');
    }
  }
}
