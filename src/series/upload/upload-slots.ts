import { Problem } from '../../platform/http/problem.js';

/** Milliseconds that an upload waits for its turn. */
const LONGEST_WAIT = 30_000;

/**
 * Limits how many uploads hold a connection to the database while more of their body is still to come: the
 * sender sets the pace, and not every other upload may wait for a slow one.
 */
export class UploadSlots {
  private readonly queue = new Set<() => void>();

  /** @param free uploads at a time */
  constructor(
    private free: number,
    private readonly longestWait = LONGEST_WAIT,
  ) {}

  /** @throws {Problem} 503 `not_ready` where no slot comes free in time */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.queue.delete(admit);
        const detail = 'The service is busy with other large uploads. Repeat this one later, or send it in parts.';
        reject(new Problem(503, 'not_ready', detail, { headers: { 'retry-after': '60' } }));
      }, this.longestWait);
      const admit = (): void => {
        clearTimeout(giveUp);
        resolve();
      };
      this.queue.add(admit);
    });
  }

  private release(): void {
    const [next] = this.queue;
    if (next) {
      this.queue.delete(next);
      next(); // takes the slot over
    } else this.free += 1;
  }
}
