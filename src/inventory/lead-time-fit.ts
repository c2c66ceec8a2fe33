import { demandQuantile, leadTimeDistribution } from './demand-quantile.js';
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
  return {
    mean,
    sigma,
    evidence,
    distribution,
    undershoot: forecast.undershoot ? (mean > 0 ? forecast.undershoot.mean : 0) : null,
    shareBeyond,
    ...demandQuantile(withUndershoot(atLevel, forecast), distribution, serviceLevel, stepOfOrders(forecast)),
  };
}

/** The demand of a lead time and how far that of the day before took stock below the reorder point, independent of each other. */
function withUndershoot(demand: LeadTimeDemand, { undershoot }: DemandForecast): LeadTimeDemand {
  if (!undershoot) return demand;
  return { mean: demand.mean + undershoot.mean, sigma: Math.hypot(demand.sigma, undershoot.sigma) };
}

/** Size of the pieces or packs that orders come in, in units of the forecast; 0 where they come in none or are not counted. */
export function stepOfOrders({ unit = 1, piece = 0 }: DemandForecast): number {
  return piece / unit;
}
