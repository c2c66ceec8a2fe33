import { averageForecasts } from '../combination/average.js';
import { LEVELS, type QuantileForecast } from '../types.js';

/** Sums of ninths may stay a rounding error short of a level that they reach. */
const ROUNDING = 1e-12;

/**
 * Forecast of demand that the first forecast is right about with probability `share` (0 to 1), and else the second: each of the nine
 * quantiles stands for a ninth of the probability of its forecast, and the mixture's are those of all eighteen. Unlike an average of
 * quantiles it keeps what only one of them holds possible, such as months without demand. With a share of 1 or 0 it is that forecast.
 */
export function mixForecasts(first: QuantileForecast, second: QuantileForecast, share: number): QuantileForecast {
  const mixture = averageForecasts([first, second], [share, 1 - share]);
  for (let from = 0; from < mixture.quantiles.length; from += LEVELS) {
    mixMonth(first.quantiles, second.quantiles, share, from, mixture.quantiles);
  }
  return mixture;
}

/** Writes the quantiles of one month, which begin at `from` in all three arrays. */
function mixMonth(a: Float64Array, b: Float64Array, share: number, from: number, out: Float64Array): void {
  const end = from + LEVELS;
  let i = from;
  let j = from;
  let below = 0;
  for (let level = 0; level < LEVELS; level++) {
    for (;;) {
      const isFirst = j === end || (i < end && a[i]! <= b[j]!);
      const weight = (isFirst ? share : 1 - share) / LEVELS;
      out[from + level] = isFirst ? a[i]! : b[j]!;
      if (below + weight >= (level + 0.5) / LEVELS - ROUNDING) break;
      below += weight;
      if (isFirst) i++;
      else j++;
    }
  }
}
