import { type DemandQuantile, demandQuantile, leadTimeDistribution } from './demand-quantile.js';
import type { LeadTimeSpread } from './lead-time-spread.js';
import { type LeadTime, sumOverLeadTime, toWholeMonths } from './lead-time.js';
import type {
  DemandForecast,
  LeadTimeDemand,
  LeadTimeDistribution,
  SafetyStockRequest,
  SpreadEvidence,
} from './types.js';
import { demandOverLikely, type LikelyLeadTime } from './uncertain-lead-time.js';
import { likelyUndershoot } from './undershoot.js';

/** A sigma, or a part of a piece, below this share of the demand is what forecasts of a constant history leave. */
export const NO_VARIATION = 1e-3;

/** What the distribution of the demand of a lead time says of it. */
export interface LeadTimeFit {
  readonly mean: number;
  readonly sigma: number;
  readonly evidence: SpreadEvidence;
  readonly distribution: LeadTimeDistribution;
  /** Mean undershoot, which the quantile covers besides; 0 if no demand is expected, null where demand is not known by day. */
  readonly undershoot: number | null;
  /** At the service level asked for. */
  readonly quantile: number;
  /** Probability that the distribution gives the quantile. */
  readonly reached: number;
  /** Share of lead times that end beyond the forecast. */
  readonly shareBeyond: number;
}

/**
 * Fits the distribution of the demand of a lead time.
 * @param likely equally likely lead times, of which `leadTime` is the mean
 */
export function fitLeadTime(
  { forecast, serviceLevel }: SafetyStockRequest,
  leadTime: LeadTime,
  likely: readonly LikelyLeadTime[],
  spreadOf: (leadTime: LeadTime) => LeadTimeSpread,
): LeadTimeFit {
  const { evidence, sigmaOfWholeMonths } = spreadOf(leadTime);
  const demands = likely.map(({ covered, times }) => {
    const spread = spreadOf(covered);
    return { mean: times * sumOverLeadTime(forecast.mean, covered), sigma: times * spread.sigma, spread };
  });
  const { mean, sigma } = demandOverLikely(demands);
  const atLevel = demandOverLikely(
    demands.map(({ mean, sigma, spread }) => ({ mean, sigma: sigma * spread.tailFactor(serviceLevel) })),
  );
  // That of the demand of whole months, whatever the level that is read from it and the day of the last month.
  const months = toWholeMonths(leadTime);
  const wholeMonths = { mean: sumOverLeadTime(forecast.mean, months), sigma: sigmaOfWholeMonths };
  const distribution = mean > 0 ? leadTimeDistribution(wholeMonths, forecast, months.whole) : 'none';
  const shareBeyond = likely.filter(({ times }) => times > 1).length / likely.length;
  const undershoot = forecast.undershoot
    ? likelyUndershoot(forecast.undershoot, mean, leadTime.whole + leadTime.fraction)
    : null;
  const quantileOf = (demand: LeadTimeDemand): DemandQuantile =>
    demandQuantile(demand, distribution, serviceLevel, stepOfOrders(forecast));
  const alone = quantileOf(atLevel);
  // independent of the demand, which is that of later days
  const covered = undershoot
    ? quantileOf({ mean: atLevel.mean + undershoot.mean, sigma: Math.hypot(atLevel.sigma, undershoot.sigma) })
    : alone;
  return {
    mean,
    sigma,
    evidence,
    distribution,
    undershoot: undershoot && undershoot.mean,
    shareBeyond,
    // of the larger mean the distribution is less skewed, but demand alone is no more than both
    ...(covered.quantile < alone.quantile ? alone : covered),
  };
}

/** Size of the pieces or packs that orders come in, in units of the forecast; 0 where they come in none or are not counted. */
export function stepOfOrders({ unit = 1, piece = 0 }: DemandForecast): number {
  return piece / unit;
}
