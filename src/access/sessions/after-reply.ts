import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { asSystem } from '../../platform/database/scope.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';

/** Work that the time of a reply must not tell of: whether an account exists, how many organizations it reaches. */
@Injectable()
export class AfterReply implements BeforeApplicationShutdown {
  private readonly pending = new Set<Promise<void>>();

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** @param what a word or two, for the log; the work sees every tenant */
  run(what: string, work: () => Promise<void>): void {
    const pending = new Promise((resolve) => setImmediate(resolve))
      .then(() => asSystem(what, work))
      .catch((error: unknown) => this.logger.error({ err: error, work: what }, 'work after a reply failed'))
      .finally(() => this.pending.delete(pending));
    this.pending.add(pending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}
