import type { Type } from '@nestjs/common';
import { Worker } from 'bullmq';
import { within } from '../deadline.js';
import type { Logger } from '../logging/logger.js';

/** Milliseconds that the queue is given to let a worker go. */
const PATIENCE = 2_000;

/**
 * BullMQ's worker, left as it is where the queue does not answer: BullMQ would wait for that to come back, and keep the service
 * from stopping. Close it once what it works on has ended.
 */
export function leavableWorker(logger: Logger): Type<Worker> {
  return class extends Worker {
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
      const left = 'the queue does not answer and is left as it is; nothing is lost, the database knows the work';
      logger.warn({ queue: this.name }, left);
    }
  };
}
