import type { ShareCurve } from '../../forecasting/index.js';
import type { DailyDemand } from '../../series/index.js';
import type { MonthSoFar } from './month-so-far.queries.js';

/**
 * How a series' month in progress is on record: by days, as one figure for the month so far, or not at all.
 */
export type Feed = 'days' | 'figure' | 'none';

/** Months without a day on record after which a series is taken to have left the daily feed. */
const SILENT_MONTHS = 3;

/** Up to when the demand of the month in progress is known. */
export interface AsOf {
  /** The last day that counts, 1 to 31; null before any. */
  readonly day: number | null;
  /** Share of the month that is over by then, 0..1. */
  readonly elapsed: number;
}

/**
 * A missing month is missing, not zero: only a series that sold by days in one of the last three months is known to have
 * sold nothing where the others' days go on without it.
 * A value that stands alone on the first day, of a series without such months, is taken for the month's figure too: many
 * write a month as its first day.
 * @param soFar the series' demand of the month in progress; undefined where it has no row
 * @param own build-up of the series' months with daily demand; undefined where it has none
 * @param month the month in progress
 */
export function feedOf(
  soFar: Pick<DailyDemand, 'values' | 'isFigure'> | undefined,
  own: ShareCurve | undefined,
  month: number,
): Feed {
  if (soFar?.isFigure === true) return 'figure';
  if (soFar?.values.subarray(1).some((value) => Number.isFinite(value)) === true) return 'days';
  const lastDaily = own?.months.at(-1)?.month;
  if (lastDaily !== undefined && lastDaily >= month - SILENT_MONTHS) return 'days';
  return soFar === undefined ? 'none' : 'figure';
}

/**
 * By days: the workspace's latest day on record, not today, since orders that have not been uploaded yet are no sign of weak
 * demand; of today only the part that is over counts. A figure for the month so far is as of now.
 */
export function asOf(soFar: MonthSoFar, feed: Feed): AsOf {
  const day = { days: soFar.lastDay, figure: soFar.today, none: null }[feed];
  if (day === null) return { day, elapsed: 0 };
  const over = day < soFar.today ? day : soFar.today - 1 + soFar.dayElapsed;
  return { day, elapsed: over / soFar.daysInMonth };
}
