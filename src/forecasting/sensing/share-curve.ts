import { MAD_TO_DEVIATION, median } from '../../numeric/sample-quantile.js';
import { sumOf } from '../../numeric/sum.js';
import { firstWeekday } from '../calendar.js';
import {
  cumulativeDemand,
  curveAt,
  EVEN_CURVE,
  EVEN_WEEK,
  profileShares,
  QUARTERS,
  STEPS,
  WEEK,
} from './month-profile.js';
import type { MonthNumber } from '../types.js';

/** Demand of a complete month by day. */
export interface DailyMonth {
  readonly month: MonthNumber;
  /** Demand from the first to the last day. */
  readonly days: ArrayLike<number>;
}

/** How demand built up in one month. */
export interface MonthBuildUp {
  readonly month: MonthNumber;
  /** Share sold after a quarter, half and three quarters of it, less what its weekdays alone let expect. */
  readonly excess: readonly number[];
}

/** What one month of a series showed. */
export interface MonthRecord extends MonthBuildUp {
  /** Demand of the month, returns apart. */
  readonly total: number;
  /** Demand of the month less its returns, 0 at least, as in the history that is forecast. */
  readonly kept: number;
  /** Days before the first one with demand. */
  readonly firstDay: number;
}

/** How demand builds up within a month: that of a series, where nothing else is said. */
export interface ShareCurve<Month extends MonthBuildUp = MonthRecord> {
  /** Complete months with demand in it, oldest first. */
  readonly months: readonly Month[];
  /** Share of demand sold after k/31 of a month, k = 0 .. 31. */
  readonly cumulative: readonly number[];
  /** Mean demand of a Sunday, Monday, .. Saturday over that of all days. */
  readonly weekdays: readonly number[];
}

/**
 * Share curve of one series from its complete months, oldest first. Negative days (returns) and missing ones (NaN) count as no
 * demand; months without demand are left out.
 */
export function shareCurve(dailyMonths: readonly DailyMonth[]): ShareCurve {
  const known = dailyMonths
    .map(({ month, days }) => {
      const demand = Float64Array.from(days, (value) => (value > 0 ? value : 0));
      const curve = cumulativeDemand(demand);
      const total = curve[STEPS]!;
      const returns = sumOf(Float64Array.from(days, (value) => (value < 0 ? value : 0)));
      return { month, demand, curve, total, kept: Math.max(total + returns, 0) };
    })
    .filter(({ total }) => total > 0);
  if (known.length === 0) return { months: [], cumulative: EVEN_CURVE, weekdays: EVEN_WEEK };
  const weekdays = weekdayFactors(known);
  const sum = known.reduce((all, { total }) => all + total, 0);
  return {
    months: known.map(({ month, demand, curve, total, kept }) => {
      const ofWeekdays = profileShares({ cumulative: EVEN_CURVE, weekdays }, month, QUARTERS);
      const firstDay = demand.findIndex((value) => value > 0);
      const excess = QUARTERS.map((at, q) => curveAt(curve, at) / total - ofWeekdays[q]!);
      return { month, total, kept, firstDay, excess };
    }),
    cumulative: EVEN_CURVE.map((_, k) => known.reduce((all, { curve }) => all + curve[k]!, 0) / sum),
    weekdays,
  };
}

/** Share of a series' demand that does not come back; 1 without daily history. */
export function keptShare(own: ShareCurve | undefined): number {
  if (!own || own.months.length === 0) return 1;
  return own.months.reduce((sum, { kept }) => sum + kept, 0) / own.months.reduce((sum, { total }) => sum + total, 0);
}

/**
 * How much more or less than usual comes back in a month, variance over the mean of what is kept; by median months, so that a single large
 * return does not count. 0 without returns and without daily history.
 */
export function returnDispersion(own: ShareCurve | undefined): number {
  if (!own || own.months.length === 0) return 0;
  const shares = own.months.map(({ kept, total }) => kept / total);
  const usual = median(shares);
  const deviation = MAD_TO_DEVIATION * median(shares.map((share) => Math.abs(share - usual)));
  const { length } = own.months;
  const total = own.months.reduce((sum, month) => sum + month.total, 0) / length;
  return usual > 0 ? (deviation ** 2 * total) / usual : 0;
}

function weekdayFactors(months: readonly { month: MonthNumber; demand: Float64Array }[]): number[] {
  const sums = new Float64Array(WEEK);
  const counts = new Float64Array(WEEK);
  for (const { month, demand } of months) {
    const first = firstWeekday(month);
    demand.forEach((value, day) => {
      sums[(first + day) % WEEK]! += value;
      counts[(first + day) % WEEK]! += 1;
    });
  }
  const mean = sumOf(sums) / sumOf(counts);
  return Array.from(sums, (sum, k) => sum / counts[k]! / mean);
}
