import type { SourceOrder } from '../orders/order.js';
import type { PulledPage, PullStep } from './platform.js';
import { latestChange } from './records.js';

/**
 * Position in a list that a platform pages by number, ordered by last change. Page numbers alone lose records: one that is
 * changed meanwhile moves to the end and everything behind it moves up by one, over the edge of the next page. So the list
 * is asked for anew from the last change that was seen, and pages are counted only within one instant.
 */
export interface TimeWindow {
  /** ISO 8601: what changed after it. */
  readonly after: string;
  /** From 1. */
  readonly page: number;
}

/** The finest difference of times, in milliseconds, that the filters of the platforms tell apart. */
const STEP_MS = 1_000;

/** Where a step begins to read. */
export function windowOf({ position, since }: PullStep): TimeWindow {
  return (position as TimeWindow | null) ?? { after: since.toISOString(), page: 1 };
}

/** The page that was read from a window. Behind a full one there may be another. */
export function windowedPage(
  window: TimeWindow,
  { orders, full }: WindowedRead,
): PulledPage & { readonly next: TimeWindow | null } {
  const seen = latestChange(orders);
  return { orders, next: seen && full ? nextWindow(window, seen) : null, seen };
}

interface WindowedRead {
  readonly orders: readonly (SourceOrder | undefined)[];
  /** Whether the platform gave as many records as it was asked for. */
  readonly full: boolean;
}

function nextWindow({ after, page }: TimeWindow, last: Date): TimeWindow {
  const moved = new Date(last.getTime() - STEP_MS); // so that more of the last instant is not left out
  return moved.getTime() > Date.parse(after) ? { after: moved.toISOString(), page: 1 } : { after, page: page + 1 };
}
