import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { MINUTE_MS } from '../../platform/durations.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/work/rounds.js';
import { runChecks } from './run-checks.js';
import { INSTALLATION, type Installation } from './installation.js';

const INTERVAL_MS = 5 * MINUTE_MS;

/** Runs the checks when they are due. Every process of the API runs this job; a lease in the database assigns each round to one of them. */
@Injectable()
export class ChecksJob {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(INSTALLATION) private readonly installation: Installation,
    private readonly lifecycle: Lifecycle,
    private readonly rounds: Rounds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never rejects. */
  @Interval(INTERVAL_MS)
  runDue(): Promise<void> {
    return this.rounds.make('compliance checks', () => this.check());
  }

  private async check(): Promise<void> {
    const request = { trigger: 'schedule', stopping: () => this.lifecycle.draining } as const;
    const found = await runChecks(this.database, this.clock, this.installation, request);
    for (const { check, status, detail } of found ?? []) {
      if (status === 'failed' || status === 'error') {
        this.logger.warn({ check, status, detail }, 'a compliance check did not pass');
      }
    }
  }
}
