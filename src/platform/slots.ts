import { Problem } from './http/problem.js';

/** Milliseconds that work waits for its turn. */
const LONGEST_WAIT_MS = 30_000;

/** Limits how many pieces of work run at once; the others wait in line. */
export class Slots {
  private readonly queue = new Set<() => void>();

  /**
   * @param free how many pieces may run at once
   * @param busy the sentence that a caller gets who waits in vain
   */
  constructor(
    private free: number,
    private readonly busy: string,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  /** How many pieces are waiting. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @param patient whether to wait for a slot as long as it takes
   * @throws {Problem} 503 `not_ready` where no slot comes free in time
   */
  async run<Result>(work: () => Promise<Result>, patient = false): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await this.turn(patient);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private turn(patient: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.queue.delete(admit);
        reject(new Problem(503, 'not_ready', this.busy, { headers: { 'retry-after': '60' } }));
      };
      const timer = patient ? undefined : setTimeout(giveUp, this.longestWaitMs);
      const admit = (): void => {
        clearTimeout(timer);
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
