import type { Type } from '@nestjs/common';
import { within } from '../work/deadline.js';
import type { Logger } from '../logging/logger.js';

/** Milliseconds that closing may take. */
const PATIENCE_MS = 2_000;

/** What BullMQ's `Queue` and `Worker` have in common: connections to the queue that must be closed. */
interface Connected {
  readonly name: string;
  close(force?: boolean): Promise<void>;
}

/**
 * A BullMQ `Queue` or `Worker` whose `close` times out. BullMQ itself waits until an unreachable queue is back, which would keep
 * the service from stopping. Close a `Worker` only once its jobs have ended.
 */
export function withCloseTimeout<Kind extends Type<Connected>>(kind: Kind, logger: Logger): Kind {
  return class extends kind {
    private left: Promise<void> | undefined;

    override close(force?: boolean): Promise<void> {
      return (this.left ??= this.leave(super.close(force)));
    }

    private async leave(closing: Promise<void>): Promise<void> {
      const closed = await within(
        PATIENCE_MS,
        closing.then(() => true),
      );
      if (closed) return;
      closing.catch(() => undefined); // nobody awaits it any more
      logger.warn(
        { queue: this.name, left: kind.name },
        'the queue does not respond and is left as is; no work is lost, since it is recorded in the database',
      );
    }
  };
}
