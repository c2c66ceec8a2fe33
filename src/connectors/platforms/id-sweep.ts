import type { SourceOrder } from '../orders/order.js';
import type { PulledPage, PullStep } from './platform.js';
import { latestChange } from './records.js';

/**
 * Position in a list of what has changed since an instant, read in the order of ids. The order of change would lose records:
 * one that changes meanwhile moves to the end and all behind it up by one, over the edge of the next page, and those of one
 * second, of which an import makes any number, have no order among themselves. Ids stay. What changes after its id has been
 * passed is left to the next sync, so nothing after the beginning counts as seen.
 */
export interface IdSweep {
  /** When the first page was asked for, ISO 8601. */
  readonly begun: string;
}

/** Position where a platform passes over rows by number, and not by id. */
export interface OffsetSweep extends IdSweep {
  readonly offset: number;
  /**
   * Ids of the last rows before: a page that begins among them leaves none out, whatever was added or deleted meanwhile. None
   * where there are too few to begin among.
   */
  readonly last: readonly string[];
}

/** Rows that a page repeats of the one before. */
const OVERLAP = 10;

export const FIRST_ROW: Omit<OffsetSweep, keyof IdSweep> = { offset: 0, last: [] };

/**
 * Where a step goes on. A position of another kind was stored by a former version, which read the platform in another way and
 * was replaced in the middle of a sync: the sweep then begins anew.
 */
export function sweepOf<Position extends IdSweep>(
  { position }: PullStep,
  first: Omit<Position, keyof IdSweep>,
): Position {
  const known = position as Position | null;
  return known?.begun === undefined ? ({ ...first, begun: new Date().toISOString() } as Position) : known;
}

/** The latest change that a page has shown, the beginning at most. */
export function seenInSweep({ begun }: IdSweep, orders: readonly (SourceOrder | undefined)[]): Date | null {
  const latest = latestChange(orders);
  const beginning = new Date(begun);
  return latest && latest > beginning ? beginning : latest;
}

/** A page of rows as it came, with what is made of them. */
interface OffsetRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that were asked for. */
  readonly size: number;
  /** Rows of the whole list, where the platform tells: it may leave some out of its pages, so that one that is not full need not be the last. */
  readonly total?: number;
  readonly idOf: (row: Row) => unknown;
  readonly toOrders: (rows: readonly Row[]) => Promise<readonly (SourceOrder | undefined)[]>;
}

/** The page that was read from a position, without the rows that it repeats. */
export async function offsetPage<Row>(
  position: OffsetSweep,
  { rows, size, total = 0, idOf, toOrders }: OffsetRows<Row>,
): Promise<PulledPage & { readonly next: OffsetSweep | null }> {
  const unread = rows.filter((row) => !position.last.includes(String(idOf(row))));
  const orders = await toOrders(unread);
  const ids = rows.map((row) => String(idOf(row)));
  const next = nextOffset(position, ids, { size, total });
  return {
    orders,
    // pages that lack rows bring nothing new one after the other; a platform that sends one page for ever sends a full one
    ...(rows.length < size && next && { listed: [position.offset] }),
    repeats: unread.length < rows.length,
    next,
    seen: seenInSweep(position, orders),
  };
}

function nextOffset(
  { begun, offset, last }: OffsetSweep,
  ids: readonly string[],
  { size, total }: Required<Pick<OffsetRows<unknown>, 'size' | 'total'>>,
): OffsetSweep | null {
  const joins = offset === 0 || last.length === 0 || ids.some((id) => last.includes(id));
  if (!joins) return { begun, offset: Math.max(0, offset - size), last };
  if (ids.length < size && offset + size >= total) return null;
  // with so few rows, repeating as many as are missing would hardly go on
  if (ids.length <= Math.max(OVERLAP, size / 2)) return { begun, offset: offset + size, last: [] };
  // nobody tells where the rows that were left out stood: those to repeat may be further ahead by as many
  const repeated = OVERLAP + size - ids.length;
  return { begun, offset: offset + size - repeated, last: ids.slice(-repeated) };
}
