import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { asSystem } from '../../platform/database/scope.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';

/**
 * Runs work after the reply if its duration would reveal what the reply must not: whether an account exists, or how many
 * organizations it is a member of.
 */
@Injectable()
export class AfterReply implements BeforeApplicationShutdown {
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly lifecycle: Lifecycle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves before the work begins; during shutdown only when it is done, since a request that was cut off may get here after the
   * other work was awaited.
   * @param what a word or two, for the log; the work sees every tenant
   */
  async run(what: string, work: () => Promise<void>): Promise<void> {
    if (this.lifecycle.draining) return this.attempt(what, work);
    const pending = new Promise((resolve) => setImmediate(resolve))
      .then(() => this.attempt(what, work))
      .finally(() => this.pending.delete(pending));
    this.pending.add(pending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  private async attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await asSystem(what, work);
    } catch (error) {
      this.logger.error({ err: error, work: what }, 'work after a response failed');
    }
  }
}
