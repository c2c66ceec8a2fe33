import { SEASON } from '../../types.js';

/** 90 % two-sided normal quantile, the level of the M4 competition's test. */
const CRITICAL = 1.645;

/**
 * Whether the autocorrelation at lag 12 is significant against Bartlett's variance: the test of the M4 competition's
 * benchmarks (Makridakis, Spiliotis & Assimakopoulos, International Journal of Forecasting 36, 2020). False under three
 * seasons. `values` must hold no gaps.
 */
export function isSeasonal(values: Float64Array): boolean {
  const n = values.length;
  if (n < 3 * SEASON) return false;
  let mean = 0;
  for (let t = 0; t < n; t++) mean += values[t]! / n;
  let variance = 0;
  for (let t = 0; t < n; t++) variance += (values[t]! - mean) ** 2;
  let spread = 1;
  let correlation = 0;
  for (let lag = 1; lag <= SEASON; lag++) {
    let covariance = 0;
    for (let t = lag; t < n; t++) covariance += (values[t]! - mean) * (values[t - lag]! - mean);
    correlation = covariance / variance;
    if (lag < SEASON) spread += 2 * correlation * correlation;
  }
  return Math.abs(correlation) > CRITICAL * Math.sqrt(spread / n);
}
