import { sumOf } from '../../numeric/sum.js';
import { observedValues } from '../missing.js';
import { SEASON } from '../types.js';

/** Changes from one year to the next that are looked at: those of the last three years. */
const CHANGES = 3 * SEASON;
/**
 * Mean over standard deviation of these changes from which growth begins to count as steady, and from which it is: chosen with the
 * factors on the weights (weights.ts), for which 2.5 to 5, 3 to 5 and 3.5 to 5.5 are as good, and two years of changes.
 */
const BEGINS = 3;
const STEADY = 6;

/** Fewest of these changes that are observed: three missing months leave as many. */
const MIN_CHANGES = 30;

/**
 * How steadily demand has grown or fallen over the last four years, from 0 to 1: nearly every month by the same over the month a
 * year before it. 0 where there are fewer years, or more than a few of their months are missing; the same in any unit.
 */
export function steadyGrowth(values: Float64Array): number {
  const from = values.length - CHANGES;
  if (from < SEASON) return 0;
  const changes = observedValues(values.subarray(from).map((value, t) => value - values[from + t - SEASON]!));
  if (changes.length < MIN_CHANGES) return 0;
  const mean = sumOf(changes) / changes.length;
  const squares = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  const deviations = Math.abs(mean) / Math.sqrt(squares / changes.length);
  // NaN for a year that repeats to the digit
  return deviations > BEGINS ? Math.min(1, (deviations - BEGINS) / (STEADY - BEGINS)) : 0;
}
