import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { asSystem } from './database/scope.js';
import { Lifecycle } from './lifecycle.js';
import { LOGGER, type Logger } from './logging/logger.js';

/**
 * Rounds of the work that the service repeats by itself. `@Interval` of @nestjs/schedule says when one is due; what it does goes
 * through {@link make}. A stop makes no further rounds and waits for those under way, before anything that they need ends.
 */
@Injectable()
export class Rounds implements OnModuleDestroy {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Makes a round; where one of the same work is under way, waits for that instead. Never rejects.
   * @param work what is done, in a word or two: its name in the log, and the reason for which it sees every tenant
   * @param steps done one after the other. One that fails is logged and keeps none of the others from being done
   */
  make(work: string, ...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
    const known = this.underWay.get(work);
    if (known) return known;
    const round = asSystem(work, () => this.doAll(work, steps)).finally(() => this.underWay.delete(work));
    this.underWay.set(work, round);
    return round;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.underWay.values());
  }

  private async doAll(work: string, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
    for (const step of steps) {
      if (this.lifecycle.draining) return;
      try {
        await step();
      } catch (error) {
        this.logger.warn({ err: error, work }, 'a round of work failed; the next round will try again');
      }
    }
  }
}
