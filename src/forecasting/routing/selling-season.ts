import { meanLowerBound } from '../quantiles/mean-bounds.js';
import { emptyForecast } from '../methods/forecaster.js';
import { LEVELS, MEDIAN, type QuantileForecast, SEASON } from '../types.js';
import { ENOUGH_EVIDENCE, repetition, withoutStrays } from './repetition.js';

/** Pairs of a month and the same one a year before that must be observed: three years of history. */
const MIN_PAIRS = 2 * SEASON;

/**
 * Which calendar months an item sells in, for items that sell in the same months of every year and hardly in others: Christmas
 * goods, garden furniture. Element i stands for the months i, i + 12, ... of the history; a month without any observation counts
 * as one in which it sells. Undefined where demand does not keep to such months, or no longer does.
 */
export function sellingSeason(demand: Float64Array): readonly boolean[] | undefined {
  const values = withoutStrays(demand);
  const { pairs, evidence } = repetition(values, SEASON, SEASON);
  if (pairs < MIN_PAIRS || evidence < ENOUGH_EVIDENCE) return undefined;
  return Array.from({ length: SEASON }, (_, i) => {
    const month = values.filter((value, t) => t % SEASON === i && !Number.isNaN(value));
    return month.length === 0 || month.some((value) => value > 0);
  });
}

/** Weight of a year beside the year after it. */
const YEAR_BEFORE = 0.5;

/** Demand of a usual year: the mean of every calendar month, over years that count for less the longer ago they are. */
function usualYear(values: Float64Array): number {
  const sums = new Float64Array(SEASON);
  const weights = new Float64Array(SEASON);
  values.forEach((value, t) => {
    if (Number.isNaN(value)) return;
    const weight = YEAR_BEFORE ** Math.floor((values.length - 1 - t) / SEASON);
    sums[t % SEASON]! += weight * value;
    weights[t % SEASON]! += weight;
  });
  return sums.reduce((year, sum, i) => (weights[i]! > 0 ? year + sum / weights[i]! : year), 0);
}

/** The mean of month `k`, raised to the least that its quantiles allow: a mean of next to nothing may not be divided by. */
const positiveMean = ({ mean, quantiles }: QuantileForecast, k: number): number =>
  Math.max(mean[k]!, meanLowerBound(quantiles, k), 0);

/** Distance of the .9 quantile of month `k` from the .1 quantile. */
const width = ({ quantiles }: QuantileForecast, k: number): number =>
  quantiles[(k + 1) * LEVELS - 1]! - quantiles[k * LEVELS]!;

/**
 * Factors that gather the first year of a forecast into the months in which an item sells. `level` gives them what a usual year
 * brings. `spread` is for the deviations from the median. It is the level's, or where that is larger the one that gives these months
 * the variance of the whole year: methods that take a season for evenly uncertain leave some of it in months without demand.
 * Goods of a single month keep the spread of their level, for theirs is wide enough (docs/engine-infrequent-demand.md).
 */
function gatheringFactors(
  forecast: QuantileForecast,
  values: Float64Array,
  sells: (k: number) => boolean,
): { readonly level: number; readonly spread: number } {
  const months = Array.from({ length: SEASON }, (_, k) => k);
  const selling = months.filter(sells);
  const inSeason = selling.reduce((sum, k) => sum + positiveMean(forecast, k), 0);
  const level = inSeason > 0 ? usualYear(values) / inSeason : 1;
  // of independent months; the sum of the squares themselves could overflow
  const spreadOf = (of: readonly number[]): number => Math.hypot(...of.map((k) => width(forecast, k)));
  const season = selling.length > 1 ? spreadOf(selling) : 0;
  return { level, spread: season > 0 ? Math.max(level, spreadOf(months) / season) : level };
}

/**
 * A forecast gathered into the months in which an item sells, at the level of its usual year: methods that smooth leave some of a
 * season of zeros and peaks in the months between, and take a level from the months that come last.
 * @param forecast of the months after `values`, a year or more
 * @param season of `values`, see {@link sellingSeason}
 * @param horizon months wanted
 */
export function gatheredInSeason(
  forecast: QuantileForecast,
  values: Float64Array,
  season: readonly boolean[],
  horizon: number,
): QuantileForecast {
  const sells = (k: number): boolean => season[(values.length + k) % SEASON]!;
  const { level, spread } = gatheringFactors(forecast, values, sells);
  const gathered = emptyForecast(horizon);
  for (let k = 0; k < horizon; k++) {
    if (!sells(k)) continue;
    gathered.mean[k] = level * positiveMean(forecast, k);
    const median = forecast.quantiles[k * LEVELS + MEDIAN]!;
    for (let at = k * LEVELS; at < (k + 1) * LEVELS; at++) {
      gathered.quantiles[at] = level * median + spread * (forecast.quantiles[at]! - median);
    }
  }
  return gathered;
}
