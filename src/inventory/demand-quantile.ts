import { gammaQuantile } from '../numeric/gamma.js';
import { negativeBinomialQuantile } from '../numeric/negative-binomial.js';
import { isInfrequent, type LeadTimeDemand, type LeadTimeDistribution } from './types.js';

/** Lead-time demand of whole pieces below this mean is a count; above, rounding to pieces no longer matters. */
const LARGEST_COUNT_MEAN = 30;

/** A quantile of lead-time demand and the distribution it was read from. */
export interface DemandQuantile {
  readonly distribution: LeadTimeDistribution;
  readonly quantile: number;
  /** Cumulative probability that the fitted distribution gives the quantile; above the level for whole pieces. */
  readonly reached: number;
}

/**
 * Quantile of lead-time demand at `level`, by moments: a gamma distribution (shape (mean/sigma)^2; demand is never negative and
 * its tail is the longer one); for infrequent or small demand in whole pieces a negative binomial with the same mean and
 * variance (Poisson where the variance is smaller than the mean). No expected demand gives quantile 0. Regular demand in
 * pieces that varies less than a Poisson count stays with the gamma distribution.
 */
export function demandQuantile(
  demand: LeadTimeDemand,
  level: number,
  demandPattern: string,
  wholeUnits: boolean,
): DemandQuantile {
  const { mean, sigma } = demand;
  if (!(mean > 0)) return { distribution: 'none', quantile: 0, reached: 1 };
  const variance = sigma * sigma;
  const count = wholeUnits && (isInfrequent(demandPattern) || (mean < LARGEST_COUNT_MEAN && variance >= mean));
  if (count) {
    const { count: quantile, reached } = negativeBinomialQuantile(mean, variance / mean, level);
    return { distribution: 'negative_binomial', quantile, reached };
  }
  if (!(sigma > 1e-9 * mean)) return { distribution: 'gamma', quantile: mean, reached: level };
  return { distribution: 'gamma', quantile: gammaQuantile(mean, sigma, level), reached: level };
}
