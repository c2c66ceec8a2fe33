import type { ApiCaller } from '../access/index.js';
import { Problem } from '../platform/http/problem.js';

export interface SlotLimits {
  /** Most queries of the process at once. */
  readonly total: number;
  /** Most of them for one organization, over all of its keys: fewer than all, so that others get a turn. */
  readonly perOrganization: number;
  /** Most of those for one API key. */
  readonly perKey: number;
  /** Milliseconds that a query may wait for its turn. */
  readonly longestWaitMs: number;
}

/** A quarter of the database connections of a process, so that slow queries of the feed leave the rest to everybody else. */
const LIMITS: SlotLimits = { total: 4, perOrganization: 3, perKey: 2, longestWaitMs: 5_000 };

/** Whose query it is. */
export type Reader = Pick<ApiCaller, 'organizationId' | 'apiKeyId'>;

interface Waiting {
  readonly reader: Reader;
  readonly admit: () => void;
}

/**
 * Limits how many queries of the feed are read at once; the others wait for their turn. A slot that comes free passes to the
 * organization that reads least, and within it to the query that has waited longest.
 */
export class ReadingSlots {
  /** The reader of each slot that is taken. */
  private readonly taken: Reader[] = [];
  private readonly queue = new Set<Waiting>();

  constructor(private readonly limits: SlotLimits = LIMITS) {}

  /** @throws {Problem} where no slot comes free in time: 429 where queries of the key or its organization hold it up, else 503 */
  async run<Result>(reader: Reader, work: () => Promise<Result>): Promise<Result> {
    if (this.hasSlot(reader)) this.taken.push(reader);
    else await this.turn(reader);
    try {
      return await work();
    } finally {
      this.release(reader);
    }
  }

  private hasSlot(reader: Reader): boolean {
    return this.taken.length < this.limits.total && this.share(reader) === undefined;
  }

  /** The limit that the reader's queries have reached; undefined where there is room. */
  private share(reader: Reader): 'perKey' | 'perOrganization' | undefined {
    if (this.heldBy('apiKeyId', reader) >= this.limits.perKey) return 'perKey';
    return this.heldBy('organizationId', reader) >= this.limits.perOrganization ? 'perOrganization' : undefined;
  }

  private heldBy(whose: keyof Reader, reader: Reader): number {
    return this.taken.filter((other) => other[whose] === reader[whose]).length;
  }

  private turn(reader: Reader): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.queue.delete(waiting);
        reject(this.refusal(reader));
      }, this.limits.longestWaitMs);
      const admit = (): void => {
        clearTimeout(giveUp);
        resolve();
      };
      const waiting: Waiting = { reader, admit };
      this.queue.add(waiting);
    });
  }

  private release(reader: Reader): void {
    this.taken.splice(this.taken.indexOf(reader), 1);
    const [next] = [...this.queue]
      .filter((waiting) => this.hasSlot(waiting.reader))
      .sort((a, b) => this.heldBy('organizationId', a.reader) - this.heldBy('organizationId', b.reader));
    if (!next) return;
    this.queue.delete(next);
    this.taken.push(next.reader); // here, not when it wakes up: a query that comes meanwhile must not take the slot
    next.admit();
  }

  private refusal(reader: Reader): Problem {
    const share = this.share(reader);
    if (share === undefined) return Problem.notReady('The feed is busy with other queries.');
    const whose = share === 'perKey' ? 'a key' : 'an organization';
    return new Problem(
      429,
      'too_many_requests',
      `The feed answers ${this.limits[share]} queries of ${whose} at a time, and those before this one are still at work.`,
      { headers: { 'retry-after': '5' } },
    );
  }
}
