import { Problem } from './http/problem.js';

const LONGEST_WAIT_MS = 30_000;

export interface SlotLimits {
  /** Most pieces of work of the process at once. */
  readonly total: number;
  /** Most of them for one organization, over all of its members and keys: fewer than all, so that others get a turn. */
  readonly perOrganization?: number;
  /** Most of those for one API key, where keys have a limit of their own. */
  readonly perKey?: number;
  /** Milliseconds that work may wait for its turn, half a minute where it is left out. */
  readonly longestWaitMs?: number;
}

/** For whom the work is, where it counts. */
export interface Beneficiary {
  readonly organizationId?: string;
  readonly apiKeyId?: string;
}

interface Waiting {
  readonly of: Beneficiary;
  readonly admit: () => void;
}

/**
 * Limits how many pieces of work that take seconds run at once; the others wait for their turn. A slot that comes free passes to the
 * organization that has fewest, and within it to the work that has waited longest. A request whose client has hung up gives up with the
 * others that wait too long.
 */
export class Slots {
  /** For whom each slot is taken. */
  private readonly taken: Beneficiary[] = [];
  private readonly queue = new Set<Waiting>();

  /** @param work what runs, in the plural, as refusals name it */
  constructor(
    private readonly work: string,
    private readonly limits: SlotLimits,
  ) {}

  /** How many pieces are waiting. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @param patient whether to wait for a slot as long as it takes
   * @throws {Problem} where no slot comes free in time: 429 where work for the key or its organization holds it up, else 503
   */
  async run<Result>(of: Beneficiary, work: () => Promise<Result>, patient = false): Promise<Result> {
    if (this.hasSlot(of)) this.taken.push(of);
    else await this.turn(of, patient);
    try {
      return await work();
    } finally {
      this.release(of);
    }
  }

  private hasSlot(of: Beneficiary): boolean {
    return this.taken.length < this.limits.total && this.share(of) === undefined;
  }

  /** The limit that is reached; undefined where there is room. */
  private share(of: Beneficiary): 'perKey' | 'perOrganization' | undefined {
    const { perKey = Infinity, perOrganization = Infinity } = this.limits;
    if (this.heldBy('apiKeyId', of) >= perKey) return 'perKey';
    return this.heldBy('organizationId', of) >= perOrganization ? 'perOrganization' : undefined;
  }

  private heldBy(whose: keyof Beneficiary, of: Beneficiary): number {
    return this.taken.filter((other) => other[whose] === of[whose]).length;
  }

  private turn(of: Beneficiary, patient: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.queue.delete(waiting);
        reject(this.refusal(of));
      };
      const timer = patient ? undefined : setTimeout(giveUp, this.limits.longestWaitMs ?? LONGEST_WAIT_MS);
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiting: Waiting = { of, admit };
      this.queue.add(waiting);
    });
  }

  private release(of: Beneficiary): void {
    this.taken.splice(this.taken.indexOf(of), 1);
    const next = this.next();
    if (!next) return;
    this.queue.delete(next);
    this.taken.push(next.of); // here, not when it wakes up: one that comes meanwhile must not take the slot
    next.admit();
  }

  /** Of those whose limits leave room. One pass: sorted, thousands that wait would keep the event loop for 20 ms at each release. */
  private next(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Infinity;
    for (const waiting of this.queue) {
      const held = this.heldBy('organizationId', waiting.of);
      if (held < fewest && this.hasSlot(waiting.of)) [next, fewest] = [waiting, held];
    }
    return next;
  }

  private refusal(of: Beneficiary): Problem {
    const share = this.share(of);
    if (share === undefined) return Problem.notReady(`The service is busy with other ${this.work}.`);
    const whose = share === 'perKey' ? 'API key' : 'organization';
    return new Problem(
      429,
      'too_many_requests',
      `At most ${this.limits[share]} ${this.work} are processed at a time per ${whose}, and earlier ones are still in progress.`,
      { headers: { 'retry-after': '5' } },
    );
  }
}
