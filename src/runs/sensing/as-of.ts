import type { ShareCurve } from '../../forecasting/index.js';
import type { DailyDemand } from '../../series/index.js';
import type { MonthSoFar } from './month-so-far.queries.js';

/** How the demand of a series' month in progress is stored: by days, as one figure for the month so far, or not at all. */
export type StoredAs = 'days' | 'figure' | 'none';

/** A series without daily demand for this many months is taken to have stopped reporting by days. */
const SILENT_MONTHS = 3;

/** How far the demand of the month in progress is known. */
export interface AsOf {
  /** The last day that counts, 1 to 31; null where none does. */
  readonly day: number | null;
  /** Share of the month that is over by then, 0..1. */
  readonly elapsed: number;
  /** When the last day that counts began and will end, likewise, where it is today's, known by days. */
  readonly today?: { readonly begins: number; readonly ends: number };
}

/**
 * A missing month is missing, not zero: a series without rows in the month counts as having sold nothing only where it had daily
 * demand in one of the last three months.
 * A single value on the first day, of a series without such months, is taken for the month's figure: many systems write a month
 * as its first day.
 * @param soFar the series' demand of the month in progress; undefined where it has no row
 * @param own how demand built up within past months of the series; undefined where it has no daily demand
 * @param month the month in progress
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
 * sign of weak demand. Of today only the part that is over counts. A figure for the month so far is as of now.
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
