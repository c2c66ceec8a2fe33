import { rateForecaster } from './rate-forecaster.js';

/** Smoothing of demand sizes and intervals; .1 is the value of Croston's paper and of later comparisons. */
export const CROSTON_ALPHA = 0.1;

/**
 * Croston's method (Operational Research Quarterly 23, 1972): sizes of demands and intervals between them are smoothed
 * separately, each starting from its first value, and their ratio is the demand rate.
 */
export function crostonRate(demand: Float64Array): number {
  let size = 0;
  let interval = 0;
  let elapsed = 1;
  let started = false;
  for (const value of demand) {
    if (value === 0) {
      elapsed++;
      continue;
    }
    size = started ? size + CROSTON_ALPHA * (value - size) : value;
    interval = started ? interval + CROSTON_ALPHA * (elapsed - interval) : elapsed;
    started = true;
    elapsed = 1;
  }
  return size / interval;
}

/** Croston's method as a forecaster, see {@link crostonRate}. */
export const croston = rateForecaster(crostonRate);
