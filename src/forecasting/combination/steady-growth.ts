import { SEASON } from '../types.js';

/** Changes from one year to the next that are looked at: those of the last three years. */
const CHANGES = 3 * SEASON;
/**
 * Mean over standard deviation of these changes from which growth begins to count as steady, and from which it is: chosen with the
 * factors on the weights (weights.ts), for which 2.5 to 5, 3 to 5 and 3.5 to 5.5 are as good, and two years of changes.
 */
const BEGINS = 3;
const STEADY = 6;

/**
 * How steadily demand has grown or fallen over the last four years, from 0 to 1: nearly every month by the same over the month a
 * year before it. 0 where a month of these years is missing or there are fewer; the same in any unit.
 */
export function steadyGrowth(values: Float64Array): number {
  const from = values.length - CHANGES;
  if (from < SEASON) return 0;
  let sum = 0;
  for (let t = from; t < values.length; t++) sum += values[t]! - values[t - SEASON]!;
  const mean = sum / CHANGES;
  let squares = 0;
  for (let t = from; t < values.length; t++) squares += (values[t]! - values[t - SEASON]! - mean) ** 2;
  const deviations = Math.abs(mean) / Math.sqrt(squares / CHANGES);
  // NaN for missing months, and for a year that repeats to the digit
  return deviations > BEGINS ? Math.min(1, (deviations - BEGINS) / (STEADY - BEGINS)) : 0;
}
