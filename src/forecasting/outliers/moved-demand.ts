import { median } from '../../numeric/sample-quantile.js';
import type { CalendarAdjustment } from '../calendar-regression/adjustment.js';
import { interpolateMissing, lastObserved, observedValues } from '../missing.js';

/** Usual months before and after one that its level is estimated from. */
const NEIGHBORS = 3;
/** How far beyond that level a month has demand of others in it. 1.2 is as good, 2 leaves most late deliveries where they are. */
const EXCESS_FACTOR = Math.SQRT2;

/** Months of a run, first and last. */
type Run = readonly [first: number, last: number];

/** A history whose demand is counted in its own months. */
interface SettledDemand {
  readonly values: Float64Array;
  /** The levels between which odd months are bridged. */
  readonly adjustment: Pick<CalendarAdjustment, 'adjusted' | 'restoreValue'>;
}

/**
 * A history without the demand that was counted in another month than its own: orders that waited while an item was sold out are
 * delivered in the month after, and customers buy ahead of a price rise. A month beside a run of odd low ones that lies beyond its usual
 * neighbors on both sides loses its excess, but no more than the run is short of. After a run with some demand, a last month is as often
 * a new level, and stays. After one without, it keeps what the run cannot have moved there, but is no level: a line to it would be a rise.
 * @param values monthly demand, NaN where missing
 * @param low months that are odd and low
 * @param adjustment of the usual months, NaN where they are odd or without demand
 */
export function settleDemand(
  values: Float64Array,
  low: ReadonlySet<number>,
  adjustment: CalendarAdjustment,
): SettledDemand {
  const remaining = remainingShares(values, low, adjustment);
  const settle = (months: Float64Array) => months.map((value, t) => value * (remaining.get(t) ?? 1));
  const { adjusted, restoreValue } = adjustment;
  return { values: settle(values), adjustment: { adjusted: withoutDelivery(values, settle(adjusted)), restoreValue } };
}

/** The levels, with the last month at the level of those before it where it comes after one without demand. */
function withoutDelivery(values: Float64Array, levels: Float64Array): Float64Array {
  const last = levels.findLastIndex((value) => !Number.isNaN(value));
  const before = lastObserved(values.subarray(0, last));
  return before === 0 ? interpolateMissing(levels.map((value, t) => (t === last ? NaN : value))) : levels;
}

/** By month, the share of its demand that is its own; months that keep all of it are not in it. */
function remainingShares(
  values: Float64Array,
  low: ReadonlySet<number>,
  { adjusted, logarithmic, restoreValue }: CalendarAdjustment,
): ReadonlyMap<number, number> {
  const remaining = new Map<number, number>();
  if (!logarithmic) return remaining;
  for (const [first, last] of runsOf(low)) {
    let supplied = 0;
    for (let t = first; t <= last; t++) supplied += values[t]! / restoreValue(1, t);
    let taken = 0;
    for (const [month, before, after] of [
      [last + 1, usual(adjusted, first - 1, -1), usual(adjusted, last + 2, 1)],
      [first - 1, usual(adjusted, first - 2, -1), usual(adjusted, last + 1, 1)],
    ] as const) {
      if (after.length === 0 && supplied > 0) continue;
      const level = Math.max(...[before, after].filter(({ length }) => length > 0).map(median));
      const demand = adjusted[month]!;
      if (!(demand > EXCESS_FACTOR * level)) continue;
      const moved = Math.min(demand - level, Math.max(0, (last - first + 1) * level - supplied - taken));
      taken += moved;
      remaining.set(month, 1 - moved / demand);
    }
  }
  return remaining;
}

function runsOf(months: ReadonlySet<number>): readonly Run[] {
  const runs: Run[] = [];
  for (const first of months) {
    if (months.has(first - 1)) continue;
    let last = first;
    while (months.has(last + 1)) last++;
    runs.push([first, last]);
  }
  return runs;
}

/** The nearest usual months from one on, in the direction of `step`. */
function usual(adjusted: Float64Array, from: number, step: -1 | 1): Float64Array {
  const months = step > 0 ? adjusted.subarray(Math.max(0, from)) : adjusted.slice(0, Math.max(0, from + 1)).reverse();
  return observedValues(months).subarray(0, NEIGHBORS);
}
