import { gammaQuantile } from '../numeric/gamma.js';
import { negativeBinomialQuantile } from '../numeric/negative-binomial.js';
import { isInfrequent, type LeadTimeDemand, type LeadTimeDistribution } from './types.js';

/** Lead-time demand of whole pieces below this mean is a count; above, rounding to pieces no longer matters. */
const MAX_COUNT_MEAN = 30;

/** A quantile of lead-time demand. */
export interface DemandQuantile {
  readonly quantile: number;
  /** Cumulative probability that the distribution gives the quantile; above the level for whole pieces. */
  readonly reached: number;
}

/**
 * Distribution of lead-time demand of a mean above 0: negative binomial where it is infrequent or small and comes in whole pieces,
 * else gamma (demand is never negative and its tail is the longer one). Regular demand in pieces that varies less than a Poisson
 * count stays with the gamma distribution.
 */
export function leadTimeDistribution(
  { mean, sigma }: LeadTimeDemand,
  demandPattern: string,
  wholeUnits: boolean,
): LeadTimeDistribution {
  const isCount = wholeUnits && (isInfrequent(demandPattern) || (mean < MAX_COUNT_MEAN && sigma * sigma >= mean));
  return isCount ? 'negative_binomial' : 'gamma';
}

/**
 * Quantile at `level` of the distribution with these moments: a gamma one of shape (mean/sigma)^2, or a negative binomial one
 * (Poisson where the variance is smaller than the mean). No expected demand gives quantile 0.
 */
export function demandQuantile(
  { mean, sigma }: LeadTimeDemand,
  distribution: LeadTimeDistribution,
  level: number,
): DemandQuantile {
  if (distribution === 'none') return { quantile: 0, reached: 1 };
  if (distribution === 'negative_binomial') {
    const { count, reached } = negativeBinomialQuantile(mean, (sigma * sigma) / mean, level);
    return { quantile: count, reached };
  }
  return { quantile: sigma > 1e-9 * mean ? gammaQuantile(mean, sigma, level) : mean, reached: level };
}
