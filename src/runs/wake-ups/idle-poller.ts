import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { PieceRunner } from '../work/piece-runner.js';

/** Milliseconds between checks of an idle slot. */
const INTERVAL_MS = 2_000;

/**
 * Makes every idle slot look for work without a wake-up: work whose wake-up was lost, whose worker died, or that is due for a
 * retry. It enqueues nothing, so it cannot flood the queue, and an outage of the queue only costs seconds.
 */
@Injectable()
export class IdlePoller {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly runner: PieceRunner,
  ) {}

  /** Does not wait for the work: slots find work at different times. The {@link PieceRunner} ends it. */
  @Interval(INTERVAL_MS)
  lookForWork(): void {
    for (let slot = this.runner.idleSlots; slot > 0; slot -= 1) void this.look();
  }

  private async look(): Promise<void> {
    try {
      await this.runner.work();
    } catch (error) {
      this.logger.warn({ err: error }, 'an idle slot could not check for work; it will retry');
    }
  }
}
