import { Problem } from '../platform/http/problem.js';

export interface SlotLimits {
  /** Queries of the process at once. */
  readonly total: number;
  /** Of those, queries of one API key. */
  readonly perKey: number;
  /** Longest that a query waits for its turn, in milliseconds. */
  readonly longestWait: number;
}

/** A quarter of the database connections of a process, so that slow queries of the feed leave the rest to everybody else. */
const LIMITS: SlotLimits = { total: 4, perKey: 2, longestWait: 5_000 };
const RETRY = { headers: { 'retry-after': '5' } };

interface Waiting {
  readonly key: string;
  readonly admit: () => void;
}

/** Limits how many queries of the feed are read at once; the others wait for their turn, first come, first served. */
export class ReadingSlots {
  private readonly held = new Map<string, number>();
  private readonly queue = new Set<Waiting>();
  private taken = 0;

  constructor(private readonly limits: SlotLimits = LIMITS) {}

  /**
   * @param key id of the API key that asks
   * @throws {Problem} where no slot comes free in time: 429 where the key's own queries hold it up, else 503
   */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.hasSlot(key)) this.take(key);
    else await this.turn(key);
    try {
      return await work();
    } finally {
      this.release(key);
    }
  }

  private hasSlot(key: string): boolean {
    return this.taken < this.limits.total && this.heldBy(key) < this.limits.perKey;
  }

  private heldBy(key: string): number {
    return this.held.get(key) ?? 0;
  }

  private take(key: string): void {
    this.taken += 1;
    this.held.set(key, this.heldBy(key) + 1);
  }

  private turn(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.queue.delete(waiting);
        reject(this.refusal(key));
      }, this.limits.longestWait);
      const admit = (): void => {
        clearTimeout(giveUp);
        resolve();
      };
      const waiting: Waiting = { key, admit };
      this.queue.add(waiting);
    });
  }

  private release(key: string): void {
    this.taken -= 1;
    const left = this.heldBy(key) - 1;
    if (left > 0) this.held.set(key, left);
    else this.held.delete(key);
    const next = [...this.queue].find((waiting) => this.hasSlot(waiting.key));
    if (!next) return;
    this.queue.delete(next);
    this.take(next.key); // here, not when it wakes up: a query that comes meanwhile must not take the slot
    next.admit();
  }

  private refusal(key: string): Problem {
    const { perKey } = this.limits;
    return this.heldBy(key) >= perKey
      ? new Problem(
          429,
          'too_many_requests',
          `The feed answers ${perKey} queries of a key at a time, and those before this one are still at work.`,
          RETRY,
        )
      : new Problem(503, 'not_ready', 'The feed is busy with other queries. Repeat the request shortly.', RETRY);
  }
}
