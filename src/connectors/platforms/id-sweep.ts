import type { SourceOrder } from '../orders/order.js';
import type { PulledPage, PullStep } from './platform.js';
import { latestChange } from './records.js';

/**
 * Position in a list of what has changed since an instant, read in id order. Reading in order of change would lose records: one that
 * changes in the meantime moves to the end and shifts all those after it up by one, across the page boundary, and those changed within the
 * same second, of which an import creates any number, have no order among themselves. Ids are stable. What changes after its id has been
 * passed is left to the next sync, so no change after the beginning counts as seen.
 */
export interface IdSweep {
  /** When the first page was requested, ISO 8601. */
  readonly begun: string;
}

/** Position for platforms that skip rows by offset rather than by id. */
export interface OffsetSweep extends IdSweep {
  readonly offset: number;
  /**
   * Ids of the last rows before the offset: a page that begins among them misses none, whatever was added or deleted in the meantime. Empty
   * if there were too few rows to overlap.
   */
  readonly last: readonly string[];
}

/** Rows of the previous page that the next one repeats. */
const OVERLAP = 10;

export const FIRST_ROW: Omit<OffsetSweep, keyof IdSweep> = { offset: 0, last: [] };

/**
 * Where a step continues. A position of another kind was stored by an earlier release, which read the platform differently and was replaced
 * during a sync: the sweep then starts over.
 */
export function sweepOf<Position extends IdSweep>(
  { position }: PullStep,
  first: Omit<Position, keyof IdSweep>,
): Position {
  const known = position as Position | null;
  return known?.begun === undefined ? ({ ...first, begun: new Date().toISOString() } as Position) : known;
}

/** The latest change on a page, but not after the beginning. */
export function seenInSweep({ begun }: IdSweep, orders: readonly (SourceOrder | undefined)[]): Date | null {
  const latest = latestChange(orders);
  const beginning = new Date(begun);
  return latest && latest > beginning ? beginning : latest;
}

/** A page of rows as received, with the orders made from them. */
interface OffsetRows<Row> {
  readonly rows: readonly Row[];
  /** The number of rows requested. */
  readonly size: number;
  /** Total number of rows, if the platform reports it: its pages may omit some, so a page that is not full need not be the last. */
  readonly total?: number;
  readonly idOf: (row: Row) => unknown;
  readonly toOrders: (rows: readonly Row[]) => Promise<readonly (SourceOrder | undefined)[]>;
}

/** The page read from a position, without the rows that it repeats. */
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
    // consecutive pages with missing rows may bring nothing new; a platform that sends the same page endlessly sends a full one
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
  // with so few rows, repeating as many as are missing would make almost no progress
  if (ids.length <= Math.max(OVERLAP, size / 2)) return { begun, offset: offset + size, last: [] };
  // the positions of the omitted rows are unknown: those to repeat may be further ahead by as many
  const repeated = OVERLAP + size - ids.length;
  return { begun, offset: offset + size - repeated, last: ids.slice(-repeated) };
}
