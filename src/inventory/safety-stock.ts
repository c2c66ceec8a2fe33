import { type LeadTimeFit, fitLeadTime, NO_VARIATION, stepOfOrders } from './lead-time-fit.js';
import { leadTimeSpreads } from './lead-time-spread.js';
import { type LeadTime, shorterLeadTimes, splitLeadTime } from './lead-time.js';
import { singleMonthQuantile } from './single-month-quantile.js';
import { assumptionsOf, inMonths, percent, raisedTo, warningsOf } from './stock-in-words.js';
import type { LeadTimeDistribution, SafetyStockRequest } from './types.js';
import { coveredPart, likelyLeadTimes } from './uncertain-lead-time.js';

/** Lowest and highest cycle service level that can be asked for. */
export const SERVICE_LEVEL_RANGE = { min: 0.5, max: 0.999 } as const;
/** A part of a piece that is none, however large the demand. */
const NO_PIECE = 0.05;

/** A safety-stock recommendation, in the unit of the series. */
export interface SafetyStock {
  readonly safetyStock: number;
  /** Expected lead-time demand plus safety stock: order when the inventory position falls to it. */
  readonly reorderPoint: number;
  readonly leadTimeDemand: number;
  /** Of the forecast error over the lead time, and of demand that a longer or shorter one brings. */
  readonly leadTimeDemandSigma: number;
  /**
   * How far the demand of a day takes stock below the reorder point on average before an order is placed: part of the safety stock. Null
   * where demand is not known by day.
   */
  readonly undershoot: number | null;
  readonly serviceLevel: number;
  /** Service of the fitted distribution's quantile, to which a lower bound may add: more than asked for in whole pieces. */
  readonly expectedServiceLevel: number;
  readonly leadTime: number;
  readonly leadTimeSd: number;
  /** Distribution of lead-time demand. */
  readonly method: LeadTimeDistribution;
  /** Sentences for people: what the figures rest on. */
  readonly assumptions: readonly string[];
  /** Sentences for people: why to trust the figures less than usual. */
  readonly warnings: readonly string[];
}

/** A number that the reorder point is not below, and what it is. */
interface LowerBound {
  readonly quantile: number;
  readonly reason: string;
}

/**
 * Safety stock and reorder point of one series: quantile of lead-time demand at the service level minus its mean, not below 0.
 * The mean is the sum of the forecast months (a fraction of the last); the spread comes from cumulative backtest errors
 * (leadTimeSpreads); a gamma, negative binomial or compound Poisson distribution has these moments (demandQuantile). No demand is negative, so the
 * quantile is not below that of a shorter lead time of whole months, nor below what the forecast itself says of a single month at
 * a lower level (singleMonthQuantile). Where demand is known by day, what a day takes stock below the reorder point is to be covered
 * too (undershootOf). A lead time that varies adds the variance of demand that its length brings; it needs no less than
 * a certain one.
 *
 * Throws RangeError naming `lead_time`, `lead_time_sd` or `service_level` when it is out of range.
 */
export function recommendSafetyStock(request: SafetyStockRequest): SafetyStock {
  const { forecast, serviceLevel } = request;
  if (!(serviceLevel >= SERVICE_LEVEL_RANGE.min && serviceLevel <= SERVICE_LEVEL_RANGE.max)) {
    const { min, max } = SERVICE_LEVEL_RANGE;
    throw new RangeError(`service_level: expected ${min} to ${max}, got ${serviceLevel}`);
  }
  const horizon = forecast.mean.length;
  const leadTime = splitLeadTime(request.leadTime, horizon);
  const { leadTimeSd = 0 } = request;
  const likely = likelyLeadTimes(request.leadTime, leadTimeSd, horizon).map((months) => coveredPart(months, horizon));
  const spreadOf = leadTimeSpreads(forecast, likely.at(-1)!.covered, request.pool);
  const fitOf = (some: LeadTime): LeadTimeFit => fitLeadTime(request, some, [{ covered: some, times: 1 }], spreadOf);
  const fit = fitLeadTime(request, leadTime, likely, spreadOf);
  const { mean } = fit;
  const bound = largestBound(request, leadTime, fitOf);
  const least = bound !== undefined && bound.quantile > Math.max(fit.quantile, mean) ? bound : undefined;
  const safetyStock = Math.max((least ?? fit).quantile - mean, 0);
  const { unit = 1 } = forecast;
  return {
    safetyStock: unit * safetyStock,
    reorderPoint: unit * (mean + safetyStock),
    leadTimeDemand: unit * mean,
    leadTimeDemandSigma: mean > 0 ? unit * fit.sigma : 0, // demand is never negative: of mean 0 it is 0
    undershoot: fit.undershoot === null ? null : unit * fit.undershoot,
    serviceLevel,
    expectedServiceLevel: fit.reached,
    leadTime: request.leadTime,
    leadTimeSd,
    method: fit.distribution,
    assumptions: [...assumptionsOf(request, fit), ...(least ? [raisedTo(unit * least.quantile, least.reason)] : [])],
    warnings: warningsOf(request, fit),
  };
}

function largestBound(
  request: SafetyStockRequest,
  leadTime: LeadTime,
  fitOf: (leadTime: LeadTime) => LeadTimeFit,
): LowerBound | undefined {
  const bounds: LowerBound[] = shorterLeadTimes(leadTime).map((shorter) => ({
    quantile: fitOf(shorter).quantile,
    reason: `the value for a lead time of ${inMonths(shorter.whole)}: a longer lead time needs no less`,
  }));
  if (request.leadTimeSd) {
    const reason = 'the value for a lead time that does not vary: one that does needs no less';
    const { quantile, mean } = fitOf(leadTime);
    bounds.push({ quantile: Math.max(quantile, mean), reason });
  }
  const month = singleMonthQuantile(request.forecast, leadTime, request.serviceLevel);
  if (month) {
    const reason = `the forecast's own quantile of ${percent(month.level)} for a single month of the lead time`;
    bounds.push({ quantile: month.quantile, reason });
  }
  const [largest] = bounds.sort((a, b) => b.quantile - a.quantile);
  const step = request.forecast.wholeUnits ? 1 : stepOfOrders(request.forecast);
  return largest && step > 0 ? { ...largest, quantile: step * inWholePieces(largest.quantile / step) } : largest;
}

/** The next whole number of pieces, for a part of one covers nothing; but 40.01, as of demand that is always 40, is no reason for 41. */
function inWholePieces(quantile: number): number {
  const part = Math.min(NO_VARIATION * quantile, NO_PIECE);
  return quantile - Math.floor(quantile) > part ? Math.ceil(quantile) : quantile;
}
