import type { MonthSoFar } from './month-so-far.queries.js';

/** Up to when the demand of the month in progress is known. */
export interface AsOf {
  /** The last day that counts, 1 to 31; null before any. */
  readonly day: number | null;
  /** Share of the month that is over by then, 0..1. */
  readonly elapsed: number;
}

/**
 * The latest day with demand on record, not today: orders that have not been uploaded yet are no sign of weak demand. Of
 * today only the part that is over counts. Where the workspace reports months as one figure, the figure is as of now.
 * @param daily whether the workspace has daily demand
 */
export function asOf(soFar: MonthSoFar, daily: boolean): AsOf {
  if (soFar.lastDay === null) return { day: null, elapsed: 0 };
  const day = daily ? soFar.lastDay : soFar.today;
  const over = day < soFar.today ? day : soFar.today - 1 + soFar.dayElapsed;
  return { day, elapsed: Math.min(1, over / soFar.daysInMonth) };
}
