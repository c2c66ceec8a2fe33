import { clamp } from '../../numeric/clamp.js';
import { LEVELS, type QuantileForecast } from '../types.js';

/**
 * The least mean that demand with the quantiles of month `k` can have: between one level and the next it is at least the lower
 * quantile, below the first at least 0, so that E[X] >= .1 (q10 + ... + q90). A falling series whose mean was clamped at zero
 * would otherwise be said to need no stock beside a q90 of twenty pieces.
 * @param quantiles of all months, {@link LEVELS} a month; those below zero count as zero
 */
export function meanLowerBound(quantiles: Float64Array, k: number): number {
  const month = quantiles.subarray(k * LEVELS, (k + 1) * LEVELS);
  return month.reduce((sum, quantile) => sum + Math.max(quantile, 0) / (LEVELS + 1), 0);
}

/** Positions of the levels .3 and .7 in a month's quantiles. */
const Q30 = 2;
const Q70 = 6;

/**
 * Keeps the mean of every month between its quantiles of .3 and .7, in place. Quantiles of a combination are averages that no
 * single member can drag far; its mean is an average too, but of means that a few simulated or extrapolated paths decide. One
 * outlier as the last month gives exponential smoothing with a trend and multiplicative errors a mean of three times its median,
 * and the combination one above its .9 quantile. The mean of a log-normal distribution lies below its .7 quantile up to a sigma
 * of 1.05, more than regular demand has: of the benchmark sets one month of 25,704 (m3) and none of 9,204 (hospital) is moved.
 */
export function boundMean({ mean, quantiles }: QuantileForecast): void {
  for (let k = 0; k < mean.length; k++) {
    const [low, high] = [quantiles[k * LEVELS + Q30]!, quantiles[k * LEVELS + Q70]!];
    mean[k] = clamp(mean[k]!, low, high);
  }
}
