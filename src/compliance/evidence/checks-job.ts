import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { Rounds } from '../../platform/rounds.js';
import { runChecks } from './run-checks.js';
import { INSTALLATION, type Installation } from './installation.js';

const INTERVAL_MS = 5 * 60_000;

/** Runs the checks when they are due. Every process of the API has one; a lease in the database gives a round to one of them. */
@Injectable()
export class ChecksJob implements BeforeApplicationShutdown {
  private readonly rounds = new Rounds();
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(INSTALLATION) private readonly installation: Installation,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never rejects. */
  @Interval(INTERVAL_MS)
  runDue(): Promise<void> {
    return this.rounds.join(() => asSystem('compliance checks', () => this.round()));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.rounds.end();
  }

  private async round(): Promise<void> {
    try {
      const order = { trigger: 'schedule', stopping: () => this.stopping } as const;
      const found = await runChecks(this.database, this.clock, this.installation, order);
      for (const { check, status, detail } of found ?? []) {
        if (status === 'failed' || status === 'error') {
          this.logger.warn({ check, status, detail }, 'a compliance check did not pass');
        }
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the compliance checks could not be run; the next round goes on');
    }
  }
}
