import { wholePercents } from '../numeric/whole-percents.js';
import { demandQuantile, leadTimeDistribution } from './demand-quantile.js';
import { type ErrorPool } from './error-pool.js';
import { type LeadTimeSpread, leadTimeSpreads } from './lead-time-spread.js';
import { type LeadTime, shorterLeadTimes, splitLeadTime, sumOverLeadTime, toWholeMonths } from './lead-time.js';
import { singleMonthQuantile } from './single-month-quantile.js';
import { type DemandForecast, isInfrequent, type LeadTimeDistribution, type SpreadEvidence } from './types.js';
import { coveredPart, demandOverLikely, type LikelyLeadTime, likelyLeadTimes } from './uncertain-lead-time.js';

/** Lowest and highest cycle service level that can be asked for. */
export const SERVICE_LEVEL_RANGE = { min: 0.5, max: 0.999 } as const;
/** Above this a service level lies beyond what backtests can check. */
const EXTRAPOLATED_ABOVE = 0.99;
/** Fewer own errors than this say little about one series. */
const FEW_ERRORS = 3;
/** A sigma, or a part of a piece, below this share of the demand is what forecasts of a constant history leave. */
const NO_VARIATION = 1e-3;
/** A part of a piece that is none, however large the demand. */
const NO_PIECE = 0.05;

/** Significant digits of a stated amount, as many as the figures beside it have. */
const STATED_DIGITS = 7;
/** Those of a mean order. */
const ORDER_DIGITS = 3;

/** One series, its lead time and the service asked for. */
export interface SafetyStockRequest {
  readonly forecast: DemandForecast;
  /** Months from order to delivery, 0 < lead time <= horizon; fractions allowed. */
  readonly leadTime: number;
  /** Standard deviation of lead times about it in months, independent of demand; 0 where absent. See {@link likelyLeadTimes} for its limits. */
  readonly leadTimeSd?: number | undefined;
  /** Cycle service: the probability that a replenishment cycle passes without a stockout, 0.5 .. 0.999. */
  readonly serviceLevel: number;
  /** Backtest errors of the workspace, from poolErrors; without them only the series' own evidence is used. */
  readonly pool?: ErrorPool | undefined;
}

/** A safety-stock recommendation, in the unit of the series. */
export interface SafetyStock {
  readonly safetyStock: number;
  /** Expected lead-time demand plus safety stock: order when the inventory position falls to it. */
  readonly reorderPoint: number;
  readonly leadTimeDemand: number;
  /** Of the forecast error over the lead time, and of demand that a longer or shorter one brings. */
  readonly leadTimeDemandSigma: number;
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

/** What the distribution of the demand of a lead time says of it. */
interface LeadTimeFit {
  readonly mean: number;
  readonly sigma: number;
  readonly evidence: SpreadEvidence;
  readonly distribution: LeadTimeDistribution;
  /** At the service level asked for. */
  readonly quantile: number;
  /** Probability that the distribution gives the quantile. */
  readonly reached: number;
  /** Share of lead times that end beyond the forecast. */
  readonly shareBeyond: number;
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
 * a lower level (singleMonthQuantile). A lead time that varies adds the variance of demand that its length brings; it needs no less than
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
    serviceLevel,
    expectedServiceLevel: fit.reached,
    leadTime: request.leadTime,
    leadTimeSd,
    method: fit.distribution,
    assumptions: [...assumptionsOf(request, fit), ...(least ? [raisedTo(least, unit)] : [])],
    warnings: warningsOf(request, fit),
  };
}

/** @param likely equally likely lead times, of which `leadTime` is the mean */
function fitLeadTime(
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
    shareBeyond,
    ...demandQuantile(atLevel, distribution, serviceLevel, stepOfOrders(forecast)),
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

/** Size of the pieces or packs that orders come in, in units of the forecast; 0 where they come in none or are not counted. */
function stepOfOrders({ unit = 1, piece = 0 }: DemandForecast): number {
  return piece / unit;
}

/** The next whole number of pieces, for a part of one covers nothing; but 40.01, as of demand that is always 40, is no reason for 41. */
function inWholePieces(quantile: number): number {
  const part = Math.min(NO_VARIATION * quantile, NO_PIECE);
  return quantile - Math.floor(quantile) > part ? Math.ceil(quantile) : quantile;
}

function raisedTo({ quantile, reason }: LowerBound, unit: number): string {
  return `The reorder point is raised to ${stated(unit * quantile)}, ${reason}.`;
}

function stated(amount: number, maximumSignificantDigits = STATED_DIGITS): string {
  return amount.toLocaleString('en', { maximumSignificantDigits });
}

function assumptionsOf(request: SafetyStockRequest, fit: LeadTimeFit): string[] {
  const { evidence } = fit;
  const assumptions = [
    'The service level is cycle service: the probability that a replenishment cycle passes without a stockout.',
    `The lead time is assumed to be ${lengthInWords(request)} and stock to be reviewed continuously; if it is not, add the review period to the lead time.`,
  ];
  if (fit.shareBeyond > 0) {
    const { length } = request.forecast.mean;
    assumptions.push(
      `The forecast is shorter than ${percent(fit.shareBeyond)} of such lead times: beyond it, demand is assumed to go on at the mean of its ${inMonths(length)}.`,
    );
  }
  if (isInfrequent(request.forecast.demandPattern)) {
    assumptions.push(
      'Stock is assumed to be at the reorder point when an order is placed; if single customer orders take it far below, add half of a typical customer order.',
    );
  }
  const sources = spreadSources(evidence);
  if (sources.length > 0) assumptions.push(`Spread of lead-time demand: ${sources.join(', ')}.`);
  return [...assumptions, ...distributionInWords(request.forecast, fit)];
}

function distributionInWords(forecast: DemandForecast, { distribution, quantile, reached }: LeadTimeFit): string[] {
  if (distribution === 'none') return [];
  if (distribution === 'gamma') return ['Lead-time demand follows a gamma distribution.'];
  const { unit = 1, wholeUnits, piece = wholeUnits ? unit : undefined } = forecast;
  const orders = `Orders of ${stated(unit, ORDER_DIGITS)} on average come by chance (compound Poisson)`;
  if (piece === undefined) return [`${orders}.`];
  const parts = piece === 1 ? 'whole pieces' : `packs of ${stated(piece)}`;
  const demand = wholeUnits ? `Demand comes in ${parts} (negative binomial)` : `${orders}, in ${parts}`;
  // rounded down: 99.96 % is not all
  const share = (Math.floor(1000 * reached) / 10).toFixed(1);
  return [`${demand}: ${covering(Math.round((quantile * unit) / piece), piece)} ${share} % of cycles.`];
}

/** `certain (2 months)` or `2 months on average with a standard deviation of 0.5 months (gamma distribution), independent of demand,`. */
function lengthInWords({ leadTime, leadTimeSd }: SafetyStockRequest): string {
  if (!leadTimeSd) return `certain (${inMonths(leadTime)})`;
  return `${inMonths(leadTime)} on average with a standard deviation of ${inMonths(leadTimeSd)} (gamma distribution), independent of demand,`;
}

/** `0 packs cover`, `1 piece covers`, `3 pieces cover`, `24, or 2 packs, cover`. */
function covering(count: number, piece: number): string {
  const number = count.toLocaleString('en');
  if (piece === 1) return count === 1 ? '1 piece covers' : `${number} pieces cover`;
  if (count === 0) return '0 packs cover';
  const packs = count === 1 ? '1 pack, covers' : `${number} packs, cover`;
  return `${stated(piece * count)}, or ${packs}`;
}

/** Where the spread comes from, as `63 % from …`, without what adds nothing. */
function spreadSources({ ownErrors, ownWeight, quantileWeight, pooledWeight }: SpreadEvidence): string[] {
  const sources: [number, string][] = [
    [ownWeight, `${ownErrors} cumulative backtest ${ownErrors === 1 ? 'error' : 'errors'} of the series`],
    [quantileWeight, 'the quantiles of the forecast'],
    [pooledWeight, 'the pooled errors of the workspace'],
  ];
  const percents = wholePercents(sources.map(([weight]) => weight));
  return sources.flatMap(([, name], at) => (percents[at] === 0 ? [] : [`${percents[at]} % from ${name}`]));
}

function warningsOf(request: SafetyStockRequest, { mean, sigma, evidence }: LeadTimeFit): string[] {
  const warnings: string[] = [];
  if (request.serviceLevel > EXTRAPOLATED_ABOVE) {
    warnings.push('A service level above 0.99 extrapolates beyond the observed errors.');
  }
  if (!(mean > 0)) warnings.push('No demand is expected over the lead time.');
  if (evidence.ownErrors === 0) {
    const rest = evidence.quantileWeight > 0 ? '; the spread is based on its forecast quantiles' : '';
    warnings.push(`No backtest error of this series covers the lead time${rest}.`);
  } else if (evidence.ownErrors < FEW_ERRORS) {
    warnings.push(`Few backtest errors (${evidence.ownErrors}) cover the lead time: they say little about the spread.`);
  }
  if (evidence.ownErrors > 0 && !evidence.measured) {
    warnings.push('The lead time is longer than a backtest window; errors were extrapolated beyond it.');
  }
  if (sigma < NO_VARIATION * mean) {
    warnings.push('The history shows no variation, so no safety stock can be derived from it.');
  }
  return warnings;
}

function inMonths(count: number): string {
  return `${count} ${count === 1 ? 'month' : 'months'}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
