import { median } from './numeric/sample-quantile.js';
import { interpolateMissing } from './numeric/missing.js';
import { SEASON } from './types.js';

/** Half width of the running median: seven months, so that up to three deviating neighbours do not move it. */
const HALF_WINDOW = 3;
/** Distance in robust standard deviations from which an isolated month counts as an outlier, and to which it is drawn. */
const OUTLYING = 6;
const KEPT = 3;
/** Neighbours beyond this share a cause (a shift, a promotion of several months): then nothing is dampened. */
const NEIGHBOUR_LIMIT = 3;
/** Median absolute deviation to standard deviation of a normal distribution. */
const MAD_TO_DEVIATION = 1.4826;
const SMALLEST_HISTORY = 2 * SEASON;
/** Years needed to tell a yearly peak from an outlier. */
const SMALLEST_YEARS = 3;

/**
 * Draws isolated months far outside the pattern towards it (Hampel's identifier on the deviation from a running median,
 * after the usual deviation of the calendar month has been taken out). Level shifts, yearly peaks and runs of odd months stay. Returns a
 * copy; histories under two years are returned as they are, since one odd month cannot be told from a season there.
 */
export function dampenOutliers(values: Float64Array): Float64Array {
  if (values.length < SMALLEST_HISTORY) return values;
  const filled = interpolateMissing(values);
  const deviation = withoutMonthlyPattern(filled.map((value, t) => value - runningMedian(filled, t)));
  const spread = MAD_TO_DEVIATION * median(deviation.map(Math.abs));
  if (!(spread > 0)) return values;
  const within = (t: number): boolean => Math.abs(deviation[t] ?? 0) < NEIGHBOUR_LIMIT * spread;
  return values.map((value, t) => {
    const excess = deviation[t]!;
    if (Math.abs(excess) <= OUTLYING * spread || !within(t - 1) || !within(t + 1)) return value;
    return value - excess + Math.sign(excess) * KEPT * spread;
  });
}

function runningMedian(values: Float64Array, t: number): number {
  return median(values.subarray(Math.max(0, t - HALF_WINDOW), t + HALF_WINDOW + 1));
}

function withoutMonthlyPattern(deviation: Float64Array): Float64Array {
  if (deviation.length < SMALLEST_YEARS * SEASON) return deviation;
  const usual = Float64Array.from({ length: SEASON }, (_, j) => median(deviation.filter((_, t) => t % SEASON === j)));
  return deviation.map((value, t) => value - usual[t % SEASON]!);
}
