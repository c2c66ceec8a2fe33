import { LEVELS } from './types.js';

/**
 * The least mean that demand with the quantiles of month `k` can have: between one level and the next it is at least the lower
 * quantile, below the first at least 0, so that E[X] >= .1 (q10 + ... + q90). A falling series whose mean was clamped at zero
 * would otherwise be said to need no stock beside a q90 of twenty pieces.
 * @param quantiles of all months, {@link LEVELS} a month; those below zero count as zero
 */
export function leastMean(quantiles: Float64Array, k: number): number {
  const month = quantiles.subarray(k * LEVELS, (k + 1) * LEVELS);
  return month.reduce((sum, quantile) => sum + Math.max(quantile, 0) / (LEVELS + 1), 0);
}
