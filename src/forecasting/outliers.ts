import { median } from '../numeric/sample-quantile.js';
import { interpolateMissing, observedRange } from './missing.js';
import { SEASON } from './types.js';

/** Half width of the running median: seven months, so that up to three deviating neighbours do not move it. */
const HALF_WINDOW = 3;
/** Distance in robust standard deviations from which an isolated month counts as an outlier, and to which it is drawn. */
const OUTLYING = 6;
const KEPT = 3;
/** Median absolute deviation to standard deviation of a normal distribution. */
const MAD_TO_DEVIATION = 1.4826;
/** Three years are needed to tell a yearly peak from an outlier. */
const SMALLEST_HISTORY = 3 * SEASON;

/**
 * Draws isolated months far outside the pattern towards it: Hampel's identifier (JASA 69, 1974) on the deviation from a
 * running median, after each calendar month's median has been taken out. Level shifts, yearly peaks and runs of odd months
 * stay. On logarithms where demand is positive. Returns a copy; histories under three years come back as they are.
 */
export function dampenOutliers(values: Float64Array): Float64Array {
  if (values.length < SMALLEST_HISTORY) return values;
  const positive = observedRange(values).smallest > 0;
  const filled = interpolateMissing(positive ? values.map(Math.log) : values);
  const usual = Float64Array.from({ length: SEASON }, (_, j) => median(filled.filter((_value, t) => t % SEASON === j)));
  const adjusted = filled.map((value, t) => value - usual[t % SEASON]!);
  const deviation = adjusted.map((value, t) => value - runningMedian(adjusted, t));
  const spread = MAD_TO_DEVIATION * median(deviation.map(Math.abs));
  if (!(spread > 0)) return values;
  const outlying = (t: number): boolean => Math.abs(deviation[t] ?? 0) > OUTLYING * spread;
  return values.map((value, t) => {
    const excess = deviation[t]!;
    // Neighbours that lie out as well share a cause (a promotion, a stock-out of several months).
    if (!outlying(t) || outlying(t - 1) || outlying(t + 1)) return value;
    const correction = Math.sign(excess) * KEPT * spread - excess;
    return positive ? value * Math.exp(correction) : value + correction;
  });
}

function runningMedian(values: Float64Array, t: number): number {
  return median(values.subarray(Math.max(0, t - HALF_WINDOW), t + HALF_WINDOW + 1));
}
