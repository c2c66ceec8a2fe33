import type { Type } from '@nestjs/common';
import { within } from '../deadline.js';
import type { Logger } from '../logging/logger.js';

/** Milliseconds that the queue is given to let go of what is closed. */
const PATIENCE = 2_000;

/** What of BullMQ holds connections to a queue. */
interface Connected {
  readonly name: string;
  close(force?: boolean): Promise<void>;
}

/**
 * BullMQ's queue or its consumer (`Worker`), left as it is where the queue does not answer: BullMQ would wait for that to come
 * back, and keep the service from stopping. Close a consumer once what it works on has ended.
 */
export function leavable<Kind extends Type<Connected>>(kind: Kind, logger: Logger): Kind {
  return class extends kind {
    private left: Promise<void> | undefined;

    override close(force?: boolean): Promise<void> {
      return (this.left ??= this.leave(super.close(force)));
    }

    private async leave(closing: Promise<void>): Promise<void> {
      const closed = await within(
        PATIENCE,
        closing.then(() => true),
      );
      if (closed) return;
      closing.catch(() => undefined); // nobody waits for it any more
      logger.warn(
        { queue: this.name, left: kind.name },
        'the queue does not answer and is left as it is; nothing is lost, the database knows the work',
      );
    }
  };
}
