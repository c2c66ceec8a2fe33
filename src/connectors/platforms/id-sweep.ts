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
  /** Ids of the last rows before: a page that begins among them leaves none out, whatever was added or deleted meanwhile. */
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
  readonly idOf: (row: Row) => unknown;
  readonly toOrders: (rows: readonly Row[]) => Promise<readonly (SourceOrder | undefined)[]>;
}

/** The page that was read from a position, without the rows that it repeats. */
export async function offsetPage<Row>(
  position: OffsetSweep,
  { rows, size, idOf, toOrders }: OffsetRows<Row>,
): Promise<PulledPage & { readonly next: OffsetSweep | null }> {
  const unread = rows.filter((row) => !position.last.includes(String(idOf(row))));
  const orders = await toOrders(unread);
  const ids = rows.map((row) => String(idOf(row)));
  return {
    orders,
    repeats: unread.length < rows.length,
    next: nextOffset(position, ids, size),
    seen: seenInSweep(position, orders),
  };
}

function nextOffset(position: OffsetSweep, ids: readonly string[], size: number): OffsetSweep | null {
  const { begun, offset, last } = position;
  const joins = offset === 0 || ids.some((id) => last.includes(id));
  if (!joins) return { begun, offset: Math.max(0, offset - size), last };
  return ids.length < size ? null : { begun, offset: offset + size - OVERLAP, last: ids.slice(-OVERLAP) };
}
