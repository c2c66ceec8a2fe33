import { hash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../platform/durations.js';
import { PlatformFault } from '../platform-fault.js';
import type { PulledPage, PullStep } from '../platforms/platform.js';

/** How far a platform has been read. Kept when a sync fails or is interrupted, so that the next one continues there. */
export interface SyncCursor {
  /** By stream: the latest change seen when the stream was last read to its end. */
  readonly seen: Readonly<Record<string, string>>;
  /** The stream being read. */
  readonly open: OpenStream | null;
  /** The latest day that counted when orders dated ahead were last counted, `YYYY-MM-DD`: they are counted once their month has begun. */
  readonly countedTo?: string;
  /** Whether everything is being read again: what the platform no longer shows is removed from the demand at the end. */
  readonly full?: true;
}

interface OpenStream {
  readonly stream: string;
  readonly since: string;
  readonly position: unknown;
  /** The latest change seen so far; null before the first. */
  readonly seen: string | null;
  /** What the last page contained; absent before the first. */
  readonly held?: HeldOrders;
}

interface HeldOrders {
  /** Digest of what was listed, usually the orders with their versions. */
  readonly orders: string;
  /** Number of consecutive pages with the same content. */
  readonly pages: number;
}

/**
 * How many consecutive pages may be equal. Some are, since changes within one second are read twice in lists ordered by change. But a
 * platform that ignores the position in a request sends the same page endlessly.
 */
const MAX_EQUAL_PAGES = 20;

/** Each sync begins this much before the last change seen, since changes become visible late and clocks differ. */
const OVERLAP_MS = 10 * MINUTE_MS;

/** The day of an order is in the shop's time zone: its first hour may be the previous day in UTC. */
const ZONES = { days: 1 };

/** What to read from a platform. */
export interface Source {
  /** In reading order. */
  readonly streams: readonly string[];
  /** `YYYY-MM-DD`. */
  readonly countsFrom: string;
  /** How long before its date a document may have been changed last. */
  readonly datedAhead?: { readonly days: number };
}

/** What to pull next. */
export function stepOf(cursor: Partial<SyncCursor>, source: Source): PullStep {
  const { open, seen = {} } = cursor;
  if (!open) return begin(seen, source.streams[0]!, source);
  const { stream, since, position } = open;
  return { stream, isNew: seen[stream] === undefined, since: new Date(since), position };
}

/**
 * The cursor after the page of its {@link stepOf}; `done` if it was the last page of the last stream.
 * @throws {PlatformFault} if pages keep repeating
 */
export function advance(
  cursor: Partial<SyncCursor>,
  page: PulledPage,
  source: Source,
  now: Date,
): { readonly cursor: SyncCursor; readonly done: boolean } {
  const { holds } = page;
  const seen = { ...(holds && { [holds.stream]: holds.until.toISOString() }), ...cursor.seen };
  // a change dated in the future would hide those of today
  const last = page.seen && page.seen > now ? now : page.seen;
  const latest = later(cursor.open?.seen ?? null, last?.toISOString() ?? null);
  const { stream, since } = stepOf(cursor, source);
  if (page.next !== null) {
    const held = heldBy(page, cursor.open?.held);
    const open = { stream, since: since.toISOString(), position: page.next, seen: latest, held };
    return { cursor: { seen, open }, done: false };
  }
  const known = later(seen[stream] ?? null, latest);
  const read = known === null ? seen : { ...seen, [stream]: known };
  const next = source.streams[source.streams.indexOf(stream) + 1];
  if (next === undefined) return { cursor: { seen: read, open: null }, done: true };
  const { since: from } = begin(read, next, source);
  return {
    cursor: { seen: read, open: { stream: next, since: from.toISOString(), position: null, seen: null } },
    done: false,
  };
}

function heldBy({ orders, listed }: PulledPage, before: HeldOrders | undefined): HeldOrders {
  const held = listed ?? orders.map((order) => [order?.id, order?.updatedAt]);
  const digest = hash('sha256', JSON.stringify(held), 'base64');
  const pages = before?.orders === digest ? before.pages + 1 : 1;
  if (pages > MAX_EQUAL_PAGES) {
    throw PlatformFault.refused('pages_repeat', 'The platform returns the same list on every page.');
  }
  return { orders: digest, pages };
}

function begin(
  seen: Readonly<Record<string, string>>,
  stream: string,
  { countsFrom, datedAhead = ZONES }: Source,
): PullStep {
  const last = seen[stream];
  const since = last === undefined ? Date.parse(countsFrom) - datedAhead.days * DAY_MS : Date.parse(last) - OVERLAP_MS;
  return { stream, isNew: last === undefined, since: new Date(since), position: null };
}

function later(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
