import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../../platform/canonical-json.js';
import { Clock } from '../../platform/clock.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isLockTimeout } from '../../platform/database/database-faults.js';
import { within } from '../../platform/work/deadline.js';
import { DAY_MS, later } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import type { ApiCaller } from '../guard/caller.js';
import { findReply, type IdempotencyRow, type KeyIdentity, storeReply, takeKey } from './idempotency.queries.js';

const KEPT_MS = DAY_MS;
/** Milliseconds to wait for another request with the same key before asking the caller to retry later. */
const PATIENCE_MS = 2_000;

/** A reply kept for replay. */
export interface StoredReply<Body = unknown> {
  readonly status: number;
  /** Headers that are part of the reply's meaning: location, retry-after. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

export type ReplayableReply<Body = unknown> = StoredReply<Body> & {
  /** Whether this is the reply to an earlier request. */
  readonly replayed: boolean;
};

/**
 * Makes a POST idempotent. The key is stored in the same transaction as the effect, so a crash never leaves a key that blocks its
 * caller. A refused request stores no key and may be retried.
 */
@Injectable()
export class Idempotency {
  /** Requests in progress in this process, by key: retries wait for them here and need no database connection. */
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `effect` in a transaction, once per key; a retry gets the first reply.
   * @param key the Idempotency-Key header; without one the effect simply runs
   * @param hash of the request, see {@link requestHash}
   * @throws {Problem} 422 `idempotency_key_reused`, 409 `idempotency_key_in_use`, and whatever `effect` throws
   */
  async run<Body>(
    caller: ApiCaller,
    key: string | undefined,
    hash: Buffer,
    effect: (tx: Transaction) => Promise<StoredReply<Body>>,
  ): Promise<ReplayableReply<Body>> {
    if (key === undefined) return { ...(await this.database.transaction(effect)), replayed: false };
    const identity = { ...caller, key };
    const slot = `${identity.apiKeyId} ${key}`;
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const known = await this.replayed(identity, () => hash);
      if (known) return known as ReplayableReply<Body>;
      const ahead = this.running.get(slot);
      if (ahead === undefined) break;
      if (!(await settles(ahead, deadline - performance.now()))) throw inUse();
    }
    const work = this.database.transaction((tx) => this.once(tx, identity, hash, () => effect(tx)));
    this.running.set(slot, work);
    try {
      return await work;
    } finally {
      this.running.delete(slot);
    }
  }

  /**
   * The reply to an earlier request with the key, undefined if there is none. A repeated upload is only hashed by this.
   * @param hash may read the request; called only if the key is known
   * @throws {Problem} 422 `idempotency_key_reused`
   */
  async replayed(identity: KeyIdentity, hash: () => Buffer | Promise<Buffer>): Promise<ReplayableReply | undefined> {
    const known = await findReply(this.database, identity, this.clock.now());
    return known && { ...replay(known, await hash()), replayed: true };
  }

  /**
   * Like {@link run}, in the caller's transaction: for streamed uploads, whose hash is known only once they are read. Call it before
   * locking a workspace: it locks the API key, as the deletion of a workspace does first.
   * @param retryAfter seconds to wait before repeating the request while another with the key is in progress
   * @returns the reply; if it is a replay, the caller must roll back what it has done so far
   */
  async once<Body>(
    tx: Transaction,
    identity: KeyIdentity,
    hash: Buffer,
    effect: () => Promise<StoredReply<Body>>,
    retryAfter = 1,
  ): Promise<ReplayableReply<Body>> {
    const known = await this.take(tx, identity, hash, retryAfter);
    if (known) return { ...(known as StoredReply<Body>), replayed: true };
    const reply = await effect();
    await storeReply(tx, identity, reply); // commits with the effect
    return { ...reply, replayed: false };
  }

  /** @returns undefined if the key was free and is now taken; otherwise the reply to the same earlier request */
  private async take(
    tx: Transaction,
    identity: KeyIdentity,
    hash: Buffer,
    retryAfter: number,
  ): Promise<StoredReply | undefined> {
    const now = this.clock.now();
    const times = { now, expiresAt: later(now, KEPT_MS), patience: PATIENCE_MS };
    const taken = await takeKey(tx, identity, hash, times).catch((error: unknown) => {
      throw isLockTimeout(error) ? inUse(retryAfter) : error;
    });
    if (taken) return undefined;
    const known = await findReply(tx, identity, now);
    if (!known) throw inUse(); // the key expired between the two statements
    return replay(known, hash);
  }
}

/**
 * SHA-256 over an operation and its input; inputs that differ only in key order are equal.
 * @param operation a name that routes share if one is an alias of the other
 */
export function requestHash(operation: string, input: unknown): Buffer {
  return hash('sha256', `${operation}\n${canonicalJson(input)}`, 'buffer');
}

function replay(known: IdempotencyRow, hash: Buffer): StoredReply {
  if (!known.requestHash.equals(hash)) {
    throw new Problem(
      422,
      'idempotency_key_reused',
      'The Idempotency-Key was used for a different request in the last 24 hours. Use a new one.',
    );
  }
  if (known.status === null) throw inUse();
  return { status: known.status, headers: known.headers ?? {}, body: known.body };
}

function inUse(retryAfter = 1): Problem {
  return new Problem(
    409,
    'idempotency_key_in_use',
    'A request with this Idempotency-Key is still in progress. Retry later.',
    {
      headers: { 'retry-after': String(retryAfter) },
    },
  );
}

/** Whether the work settles within the given milliseconds. */
async function settles(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  return (await within(milliseconds, ended)) === true;
}
