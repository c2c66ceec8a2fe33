import { gammaQuantile } from '../numeric/gamma.js';
import { compoundPoisson } from '../numeric/compound-poisson.js';
import { negativeBinomialQuantile } from '../numeric/negative-binomial.js';
import { comesByChance } from './monthly-spread.js';
import { type DemandForecast, isInfrequent, type LeadTimeDemand, type LeadTimeDistribution } from './types.js';

/** Lead-time demand of whole pieces below this mean is a count; above, rounding to pieces no longer matters. */
const MAX_COUNT_MEAN = 30;

/** A quantile of lead-time demand. */
export interface DemandQuantile {
  readonly quantile: number;
  /** Cumulative probability that the distribution gives the quantile; above the level for whole pieces. */
  readonly reached: number;
}

/**
 * Distribution of lead-time demand of a mean above 0: negative binomial where it is infrequent or small and comes in whole units,
 * compound Poisson where it comes in orders by chance, else gamma (demand is never negative and its tail is the longer one). Regular
 * demand in pieces that varies less than a Poisson count stays with the gamma distribution.
 * @param months of the forecast that the lead time has or begins
 */
export function leadTimeDistribution(
  { mean, sigma }: LeadTimeDemand,
  forecast: DemandForecast,
  months: number,
): LeadTimeDistribution {
  if (forecast.wholeUnits) {
    const isCount = isInfrequent(forecast) || (mean < MAX_COUNT_MEAN && sigma * sigma >= mean);
    return isCount ? 'negative_binomial' : 'gamma';
  }
  const byChance = Array.from({ length: months }, (_, month) => comesByChance(forecast, forecast, month));
  return byChance.every(Boolean) ? 'compound_poisson' : 'gamma';
}

/**
 * Quantile at `level` of the distribution with these moments: a gamma one of shape (mean/sigma)^2, a negative binomial one
 * (Poisson where the variance is smaller than the mean), or a compound Poisson one of orders. No expected demand gives quantile 0.
 * @param step that demand of orders comes in multiples of; 0 for none
 */
export function demandQuantile(
  { mean, sigma }: LeadTimeDemand,
  distribution: LeadTimeDistribution,
  level: number,
  step = 0,
): DemandQuantile {
  if (distribution === 'none') return { quantile: 0, reached: 1 };
  if (distribution === 'negative_binomial') {
    const { count, reached } = negativeBinomialQuantile(mean, (sigma * sigma) / mean, level);
    return { quantile: count, reached };
  }
  if (distribution === 'compound_poisson') {
    const { cdf, quantile } = compoundPoisson(mean, sigma * sigma);
    const inSteps = toSteps(quantile(level), step);
    return { quantile: inSteps, reached: Math.max(level, cdf(inSteps + step / 2)) };
  }
  const quantile = sigma > 1e-9 * mean ? gammaQuantile(mean, sigma, level) : mean;
  return { quantile: toSteps(quantile, step), reached: level };
}

/** The multiple of a step that stands for a quantile, with the continuity correction: each for all that is rounded to it. */
function toSteps(quantile: number, step: number): number {
  return step > 0 ? step * Math.ceil(quantile / step - 0.5) : quantile;
}
