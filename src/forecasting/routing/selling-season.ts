import { meanLowerBound } from '../quantiles/mean-bounds.js';
import { emptyForecast } from '../methods/forecaster.js';
import { LEVELS, type QuantileForecast, SEASON } from '../types.js';

/** Pairs of a month and the same one a year before that must be observed: three years of history. */
const FEWEST_PAIRS = 2 * SEASON;
/** Share of the pairs with demand in either month that must have it in both; over the last year a half will do. */
const REPEATED = 0.75;
const REPEATED_LAST_YEAR = 0.5;
/**
 * Twice the log likelihood ratio that repetition must reach against orders in any month. None of 300,000 simulated series of
 * independent months (36 to 120 of them) met it together with the shares above. An item that sells in one month of the year needs
 * four years.
 */
const EVIDENCE = 15;

/** Share of the mean month with demand below which a month is one without: single pieces sold when the season is over. */
const STRAY = 0.2;

/**
 * Which calendar months an item sells in, for items that sell in the same months of every year and hardly in others: Christmas
 * goods, garden furniture. Element i stands for the months i, i + 12, ... of the history; a month without any observation counts
 * as one in which it sells. Undefined where demand does not keep to such months, or no longer does.
 */
export function sellingSeason(demand: Float64Array): readonly boolean[] | undefined {
  const values = withoutStrays(demand);
  const all = repetition(values, SEASON);
  const lastYear = repetition(values, Math.max(values.length - SEASON, SEASON));
  if (all.pairs < FEWEST_PAIRS || all.both < REPEATED * all.either) return undefined;
  if (lastYear.both === 0 || lastYear.both < REPEATED_LAST_YEAR * lastYear.either) return undefined;
  const share = all.sold / all.observed;
  const byChance = share / (2 - share);
  if (2 * logLikelihoodRatio(all.both, all.either, byChance) < EVIDENCE) return undefined;
  return Array.from({ length: SEASON }, (_, i) => {
    const month = values.filter((value, t) => t % SEASON === i && !Number.isNaN(value));
    return month.length === 0 || month.some((value) => value > 0);
  });
}

function withoutStrays(demand: Float64Array): Float64Array {
  const sizes = demand.filter((value) => value > 0);
  const least = (STRAY * sizes.reduce((sum, size) => sum + size, 0)) / sizes.length;
  return demand.map((value) => (value < least ? 0 : value));
}

/** How often demand is there in both or in either of two months a year apart, of which the later is month `from` or a later one. */
function repetition(values: Float64Array, from: number) {
  const counts = { pairs: 0, both: 0, either: 0, observed: 0, sold: 0 };
  for (let t = from - SEASON; t < values.length; t++) {
    const now = values[t]!;
    if (Number.isNaN(now)) continue;
    counts.observed++;
    if (now > 0) counts.sold++;
    const before = t < from ? NaN : values[t - SEASON]!;
    if (Number.isNaN(before)) continue;
    counts.pairs++;
    if (now > 0 && before > 0) counts.both++;
    if (now > 0 || before > 0) counts.either++;
  }
  return counts;
}

/** Log likelihood ratio of `hits` out of `trials` at their own rate against `rate`; 0 where their own rate is lower. */
function logLikelihoodRatio(hits: number, trials: number, rate: number): number {
  const own = hits / trials;
  if (!(own > rate)) return 0;
  const misses = trials - hits;
  return hits * Math.log(own / rate) + (misses > 0 ? misses * Math.log((1 - own) / (1 - rate)) : 0);
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
  let inSeason = 0;
  for (let k = 0; k < SEASON; k++) if (sells(k)) inSeason += positiveMean(forecast, k);
  const factor = inSeason > 0 ? usualYear(values) / inSeason : 1;
  const gathered = emptyForecast(horizon);
  for (let k = 0; k < horizon; k++) {
    if (!sells(k)) continue;
    gathered.mean[k] = factor * positiveMean(forecast, k);
    for (let j = 0; j < LEVELS; j++) gathered.quantiles[k * LEVELS + j] = factor * forecast.quantiles[k * LEVELS + j]!;
  }
  return gathered;
}
