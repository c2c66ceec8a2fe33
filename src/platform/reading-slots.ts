import { Problem } from './http/problem.js';

export interface SlotLimits {
  /** Most readings of the process at once. */
  readonly total: number;
  /** Most of them for one organization, over all of its members and keys: fewer than all, so that others get a turn. */
  readonly perOrganization: number;
  /** Most of those for one API key, where keys have a limit of their own. */
  readonly perKey?: number;
  /** Milliseconds that a reading may wait for its turn. */
  readonly longestWaitMs: number;
}

/** Who reads. */
export interface Reader {
  readonly organizationId: string;
  readonly apiKeyId?: string;
}

interface Waiting {
  readonly reader: Reader;
  readonly admit: () => void;
}

/**
 * Limits how many readings that take seconds are at work at once; the others wait for their turn. A slot that comes free passes to the
 * organization that reads least, and within it to the reading that has waited longest. One whose client has hung up gives up with the
 * others that wait too long.
 */
export class ReadingSlots {
  /** The reader of each slot that is taken. */
  private readonly taken: Reader[] = [];
  private readonly queue = new Set<Waiting>();

  /** @param readings what is read, as refusals name it */
  constructor(
    private readonly readings: string,
    private readonly limits: SlotLimits,
  ) {}

  /** @throws {Problem} where no slot comes free in time: 429 where readings of the key or its organization hold it up, else 503 */
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

  /** The limit that the reader has reached; undefined where there is room. */
  private share(reader: Reader): 'perKey' | 'perOrganization' | undefined {
    const { perKey } = this.limits;
    if (perKey !== undefined && this.heldBy('apiKeyId', reader) >= perKey) return 'perKey';
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
    this.taken.push(next.reader); // here, not when it wakes up: one that comes meanwhile must not take the slot
    next.admit();
  }

  private refusal(reader: Reader): Problem {
    const share = this.share(reader);
    if (share === undefined) return Problem.notReady(`The service is busy with other ${this.readings}.`);
    const whose = share === 'perKey' ? 'a key' : 'an organization';
    return new Problem(
      429,
      'too_many_requests',
      `At most ${this.limits[share]} ${this.readings} are answered at a time for ${whose}, and those before this one are still at work.`,
      { headers: { 'retry-after': '5' } },
    );
  }
}
