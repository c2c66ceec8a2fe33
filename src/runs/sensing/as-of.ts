import type { ShareCurve } from '../../forecasting/index.js';
import type { DailyDemand } from '../../series/index.js';
import type { MonthSoFar } from './month-so-far.queries.js';

/** How a series' demand in the current month is stored: daily, as a single figure for the month so far, or not at all. */
export type StoredAs = 'days' | 'figure' | 'none';

/** Number of months without daily demand after which a series is assumed to no longer report daily. */
const SILENT_MONTHS = 3;

/** How much of the current month's demand is known. */
export interface AsOf {
  /** The last day that counts, 1 to 31; null if none does. */
  readonly day: number | null;
  /** Share of the month that has passed by then, 0..1. */
  readonly elapsed: number;
  /** When the last day that counts began and ends, as shares of the month, if it is today and known daily. */
  readonly today?: { readonly begins: number; readonly ends: number };
}

/**
 * A missing month is missing, not zero: a series without rows in the month counts as having sold nothing only if it had daily
 * demand in one of the last three months.
 * A single value on the first day, for a series without such months, is taken for the month's figure: many systems date a monthly
 * value on its first day.
 * @param soFar the series' demand in the current month; undefined if it has no row
 * @param own how demand accumulated within past months of the series; undefined if it has no daily demand
 * @param month the current month
 */
export function storedAs(
  soFar: Pick<DailyDemand, 'values' | 'isFigure'> | undefined,
  own: ShareCurve | undefined,
  month: number,
): StoredAs {
  if (soFar?.isFigure === true) return 'figure';
  if (soFar?.values.subarray(1).some((value) => Number.isFinite(value)) === true) return 'days';
  const lastDaily = own?.months.at(-1)?.month;
  if (lastDaily !== undefined && lastDaily >= month - SILENT_MONTHS) return 'days';
  return soFar === undefined ? 'none' : 'figure';
}

/**
 * Daily demand is known up to the workspace's latest day with data, not up to today: orders that have not been uploaded yet are no
 * sign of weak demand. Of today only the part that has passed counts. A figure for the month so far is as of now.
 */
export function asOf(soFar: MonthSoFar, stored: StoredAs): AsOf {
  const day = { days: soFar.lastDay, figure: soFar.today, none: null }[stored];
  if (day === null) return { day, elapsed: 0 };
  const { today, dayElapsed, daysInMonth } = soFar;
  if (day < today) return { day, elapsed: day / daysInMonth };
  const elapsed = (today - 1 + dayElapsed) / daysInMonth;
  if (stored === 'figure') return { day, elapsed };
  return { day, elapsed, today: { begins: (today - 1) / daysInMonth, ends: today / daysInMonth } };
}
