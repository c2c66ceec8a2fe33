import { wholePercents } from '../numeric/whole-percents.js';
import { type LeadTimeFit, NO_VARIATION } from './lead-time-fit.js';
import { type DemandForecast, isInfrequent, type SafetyStockRequest, type SpreadEvidence } from './types.js';

/** Above this a service level lies beyond what backtests can check. */
const EXTRAPOLATED_ABOVE = 0.99;
/** Fewer own errors than this say little about one series. */
const FEW_ERRORS = 3;
/** Significant digits of a stated amount, as many as the figures beside it have. */
const STATED_DIGITS = 7;
/** Those of a mean order. */
const ORDER_DIGITS = 3;

/**
 * That the reorder point is a lower bound.
 * @param quantile the bound, in the unit of the series
 * @param reason what it is, as it follows a comma
 */
export function raisedTo(quantile: number, reason: string): string {
  return `The reorder point is raised to ${stated(quantile)}, ${reason}.`;
}

function stated(amount: number, maximumSignificantDigits = STATED_DIGITS): string {
  return amount.toLocaleString('en', { maximumSignificantDigits });
}

/** What the figures rest on. */
export function assumptionsOf(request: SafetyStockRequest, fit: LeadTimeFit): string[] {
  const { evidence, undershoot } = fit;
  const { unit = 1 } = request.forecast;
  const reviewed = undershoot === null ? 'continuously; if it is not' : 'after each day; if it is less often';
  const assumptions = [
    'The service level is cycle service: the probability that a replenishment cycle passes without a stockout.',
    `The lead time is assumed to be ${lengthInWords(request)} and stock to be reviewed ${reviewed}, add the review period to the lead time.`,
  ];
  if (fit.shareBeyond > 0) {
    const { length } = request.forecast.mean;
    assumptions.push(
      `The forecast is shorter than ${percent(fit.shareBeyond)} of such lead times: beyond it, demand is assumed to go on at the mean of its ${inMonths(length)}.`,
    );
  }
  if (undershoot !== null && undershoot > 0) {
    assumptions.push(
      `By the demand of single days, stock is ${stated(unit * undershoot, ORDER_DIGITS)} below the reorder point on average when an order is placed; the safety stock covers that too.`,
    );
  }
  if (undershoot === null && isInfrequent(request.forecast)) {
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

/** Why to trust the figures less than usual. */
export function warningsOf(request: SafetyStockRequest, { mean, sigma, evidence, undershoot }: LeadTimeFit): string[] {
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
    const rest = undershoot
      ? 'the safety stock is for the demand of single days alone'
      : 'no safety stock can be derived from it';
    warnings.push(`The history shows no variation, so ${rest}.`);
  }
  return warnings;
}

/** `1 month`, `1.5 months`. */
export function inMonths(count: number): string {
  return `${count} ${count === 1 ? 'month' : 'months'}`;
}

/** `95 %`. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
