import { clamp } from '../../numeric/clamp.js';
import { daysInMonth, firstWeekday } from '../calendar.js';
import type { MonthNumber } from '../types.js';

/** Points of a cumulative curve over the month: after k/31 of it, k = 0 .. 31. */
export const STEPS = 31;
/** Days of a week, Sunday first. */
export const WEEK = 7;
/** Points of the month at which months are compared with each other. */
export const QUARTERS = [0.25, 0.5, 0.75] as const;

/** How demand spreads over the days of a month: each day weighs its place in the month times its weekday. */
export interface MonthProfile {
  /** Share of a month's demand sold after k/31 of it, k = 0 .. 31, weekdays apart. */
  readonly cumulative: readonly number[];
  /** Mean demand of a Sunday, Monday, .. Saturday over that of all days. */
  readonly weekdays: readonly number[];
}

/** The curve and the weekdays of demand that is the same every day. */
export const EVEN_CURVE: readonly number[] = Array.from({ length: STEPS + 1 }, (_, k) => k / STEPS);
export const EVEN_WEEK: readonly number[] = new Array<number>(WEEK).fill(1);

/** Shares of the demand of `month` that fall into its first parts `elapsed` (0..1 each). */
export function profileShares(
  { cumulative, weekdays }: MonthProfile,
  month: MonthNumber,
  elapsed: readonly number[],
): readonly number[] {
  const days = daysInMonth(month);
  const first = firstWeekday(month);
  const before = elapsed.map(() => 0);
  let all = 0;
  let start = 0;
  for (let day = 0; day < days; day++) {
    const end = curveAt(cumulative, (day + 1) / days);
    const weight = (end - start) * weekdays[(first + day) % WEEK]!;
    start = end;
    all += weight;
    for (let k = 0; k < elapsed.length; k++) {
      before[k]! += weight * clamp(elapsed[k]! * days - day, 0, 1);
    }
  }
  return all > 0 ? before.map((weight) => weight / all) : elapsed;
}

/** Linear interpolation of a cumulative curve. */
export function curveAt(cumulative: readonly number[], at: number): number {
  const position = at * STEPS;
  const below = Math.min(Math.floor(position), STEPS - 1);
  return cumulative[below]! + (position - below) * (cumulative[below + 1]! - cumulative[below]!);
}

/** Demand of one month, of a day at least, after k/31 of it: days are spread evenly over their length. */
export function cumulativeDemand(days: ArrayLike<number>): number[] {
  const sums = [0];
  for (let day = 0; day < days.length; day++) sums.push(sums[day]! + days[day]!);
  return EVEN_CURVE.map((at) => {
    const position = at * days.length;
    const below = Math.min(Math.floor(position), days.length - 1);
    return sums[below]! + (position - below) * (sums[below + 1]! - sums[below]!);
  });
}
