import { gammaQuantile } from '../numeric/gamma.js';
import { sumOf } from '../numeric/sum.js';
import { type LeadTime, splitLeadTime } from './lead-time.js';
import type { LeadTimeDemand } from './types.js';

/** Equally likely lead times that stand for their distribution: their standard deviation is 1 to 2.5 % below its. */
const LIKELY = 64;
/** Standard deviations above its mean that the horizon must reach: 95 to 97 % of lead times are no longer. */
const REACHED = 2;
/** Standard deviation in months, a few seconds, up to which lead times do not vary. */
const NEGLIGIBLE = 1e-6;

/**
 * Equally likely lead times in months, ascending, that stand for a gamma distribution of lead times (Burgin, Operational Research
 * Quarterly 26, 1975) with this mean and standard deviation; a few may be longer than the horizon. Just the mean if `sd` is 0 or nearly
 * so.
 *
 * Throws RangeError naming `lead_time_sd` unless it is from 0 to {@link largestDeviation}.
 */
export function likelyLeadTimes(mean: number, sd: number, horizon: number): number[] {
  if (!(sd >= 0 && sd <= largestDeviation(mean, horizon))) {
    throw new RangeError(`lead_time_sd: expected 0 to ${mean} (lead_time), and twice it before the horizon, got ${sd}`);
  }
  if (sd <= NEGLIGIBLE) return [mean];
  const months = Array.from({ length: LIKELY }, (_, i) => gammaQuantile(mean, sd, (i + 0.5) / LIKELY));
  const scale = (mean * LIKELY) / sumOf(months);
  return months.map((each) => scale * each);
}

/**
 * Largest standard deviation of lead times with this mean, at most the horizon, for which a forecast reaches far enough: two of these
 * above the mean. Lead times that vary by more than their mean are none that one plans with.
 */
export function largestDeviation(mean: number, horizon: number): number {
  // rounded: in binary the horizon of 12 is less than .6 above 11.4
  return Math.min(mean, Number(((horizon - mean) / REACHED).toFixed(9)));
}

/** One of several equally likely lead times. */
export interface LikelyLeadTime {
  /** The part of it that the forecast covers. */
  readonly covered: LeadTime;
  /** How many times as long it is: 1, or more where it ends beyond the horizon. */
  readonly times: number;
}

/**
 * A lead time of so many months as its part within the horizon, which stands for all of it: beyond the horizon, demand and its spread go on
 * in proportion.
 */
export function coveredPart(months: number, horizon: number): LikelyLeadTime {
  const within = Math.min(months, horizon);
  return { covered: splitLeadTime(within, horizon), times: months / within };
}

/**
 * Demand of a lead time that is one of several, equally likely ones: by the law of total variance that within them plus that of their
 * means.
 */
export function demandOverLikely(demands: readonly LeadTimeDemand[]): LeadTimeDemand {
  const mean = average(demands.map((demand) => demand.mean));
  const within = average(demands.map(({ sigma }) => sigma * sigma));
  return { mean, sigma: Math.sqrt(within + average(demands.map((demand) => (demand.mean - mean) ** 2))) };
}

function average(values: readonly number[]): number {
  return sumOf(values) / values.length;
}
