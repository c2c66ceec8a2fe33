import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { PieceRunner } from '../work/piece-runner.js';

/** Milliseconds between two checks of an idle slot. */
const INTERVAL = 2_000;

/**
 * Lets every idle slot look for work without a wake-up: work whose wake-up was lost, whose worker died, or that is due for another
 * attempt. It enqueues nothing, so no backlog can flood the queue, and an outage of the queue only costs seconds.
 */
@Injectable()
export class IdlePoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly runner: PieceRunner,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      for (let slot = this.runner.idleSlots; slot > 0; slot -= 1) void this.look();
    }, INTERVAL);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    try {
      await this.runner.work();
    } catch (error) {
      this.logger.warn({ err: error }, 'an idle slot could not look for work; it looks again');
    }
  }
}
