import { monthInWords } from '../calendar.js';
import type { MonthNumber } from '../types.js';
import { inMonths } from '../wording.js';

/** Months that a series' data may end before the newest month of a run without being called stale: many report late. */
const LATE = 3;

/**
 * Whether a series' own data end more than three months before the newest month of its run. It is forecast from its own end
 * all the same (docs/decisions/0002).
 */
export function isStale(lastMonth: MonthNumber, newestMonth: MonthNumber): boolean {
  return newestMonth - lastMonth > LATE;
}

/** One sentence for people where a series is stale; undefined where it is not, or where the newest month is unknown. */
export function describeStaleness(lastMonth: MonthNumber, newestMonth: MonthNumber | undefined): string | undefined {
  if (newestMonth === undefined || !isStale(lastMonth, newestMonth)) return undefined;
  return `The last data are from ${monthInWords(lastMonth)}, ${inMonths(newestMonth - lastMonth)} before the newest month of the run.`;
}
