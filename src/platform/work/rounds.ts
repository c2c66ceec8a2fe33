import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { asSystem } from '../database/scope.js';
import { Lifecycle } from '../lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { SharedWork } from './shared-work.js';

/**
 * Runs the periodic work of the service in rounds. `@Interval` of @nestjs/schedule sets when a round is due; its work goes through
 * {@link make}. Shutdown starts no further rounds and waits for those in progress before their dependencies are torn down.
 */
@Injectable()
export class Rounds implements OnModuleDestroy {
  private readonly rounds = new SharedWork<void>();

  constructor(
    private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs a round, or waits for the one of the same work that is in progress. Never rejects.
   * @param work the work in a word or two: its name in the log, and the reason why it sees every tenant
   * @param steps run in sequence. One that returns true has more to do and is repeated at once. One that fails is logged and does
   * not prevent the others
   */
  make(work: string, ...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
    return this.rounds.share(work, () => asSystem(work, () => this.doAll(work, steps)));
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.ended();
  }

  private async doAll(work: string, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
    for (const step of steps) {
      try {
        let hasMore: unknown = true;
        while (hasMore === true && !this.lifecycle.draining) hasMore = await step();
      } catch (error) {
        this.logger.warn({ err: error, work }, 'a round of work failed; the next round retries');
      }
    }
  }
}
