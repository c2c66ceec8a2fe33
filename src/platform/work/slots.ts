import { Problem } from '../http/problem.js';

const MAX_WAIT_MS = 30_000;

export interface SlotLimits {
  /** Maximum number of pieces of work in the process. */
  readonly total: number;
  /** Maximum for one organization, across its members and keys: lower than the total, so that others get a turn. */
  readonly perOrganization?: number;
  /** Maximum for one API key, if keys have a limit of their own. */
  readonly perKey?: number;
  /** Maximum for one user, where users belong to no organization. */
  readonly perUser?: number;
  /** Maximum wait in milliseconds; half a minute by default. */
  readonly maxWaitMs?: number;
}

/** For requests that compute for a second or two: many at once would slow down everything else in the process. */
export const HEAVY_REQUESTS: SlotLimits = { total: 3, perOrganization: 2, maxWaitMs: 15_000 };

/** For whom the work is done, if that matters. */
export interface Beneficiary {
  readonly organizationId?: string;
  readonly apiKeyId?: string;
  readonly userId?: string;
}

/** Limits for one beneficiary, as refusals name it. */
const SHARES = { perKey: 'API key', perUser: 'user', perOrganization: 'organization' } as const;

interface Waiting {
  readonly of: Beneficiary;
  readonly admit: () => void;
}

/**
 * Limits how many pieces of work that take seconds run concurrently; the others queue. A freed slot goes to the organization that
 * holds the fewest, and within it to the work that has waited longest. A request whose client has hung up stays queued until it is
 * admitted or times out.
 */
export class Slots {
  /** The beneficiary of each occupied slot. */
  private readonly taken: Beneficiary[] = [];
  private readonly queue = new Set<Waiting>();

  /** @param work the work in the plural, as refusals name it */
  constructor(
    private readonly work: string,
    private readonly limits: SlotLimits,
  ) {}

  /** The number of queued pieces. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * @param patient whether to wait for a slot as long as it takes
   * @throws {Problem} if no slot frees up in time: 429 if other work of the key, user or organization is the cause, else 503
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

  /** The limit that is reached; undefined if there is room. */
  private share(of: Beneficiary): keyof typeof SHARES | undefined {
    const { perKey = Infinity, perUser = Infinity, perOrganization = Infinity } = this.limits;
    if (this.heldBy('apiKeyId', of) >= perKey) return 'perKey';
    if (this.heldBy('userId', of) >= perUser) return 'perUser';
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
      const timer = patient ? undefined : setTimeout(giveUp, this.limits.maxWaitMs ?? MAX_WAIT_MS);
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
    this.taken.push(next.of); // here, not when it resumes: work that arrives in between must not take the slot
    next.admit();
  }

  /** The next whose limits leave room. In one pass: sorting thousands of entries would block the event loop for 20 ms at each release. */
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
    return Problem.tooMany(
      5,
      `At most ${this.limits[share]} ${this.work} are processed at a time per ${SHARES[share]}, and earlier ones are still in progress.`,
    );
  }
}
