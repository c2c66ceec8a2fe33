import { sumOf } from '../../numeric/sum.js';

/** Share of the mean month with demand below which a month is one without: single pieces sold when the season is over. */
const STRAY = 0.2;

/** Share of the pairs with demand in either month that must have it in both; over the latest months a half will do. */
const REPEATED = 0.75;
const REPEATED_LATELY = 0.5;
/**
 * Twice the log likelihood ratio that repetition must reach against orders in any month. With the shares above, none of 300,000
 * simulated series of independent months (36 to 120 of them) met it for a year.
 */
export const ENOUGH_EVIDENCE = 15;

/** Demand without single pieces sold between orders: zero where less than a fifth of the mean month with demand sold. */
export function withoutStrays(demand: Float64Array): Float64Array {
  const sizes = demand.filter((value) => value > 0);
  const least = (STRAY * sumOf(sizes)) / sizes.length;
  return demand.map((value) => (value < least ? 0 : value));
}

/**
 * How plainly demand repeats after `period` months.
 * @param lately months at the end, a period or more, in which it must do so too, if less often
 * @returns `pairs` of a month and the one a period before that are observed, and `evidence`: twice the log likelihood ratio of
 *   demand in both months of a pair where it is in either, against orders in any month; 0 where it repeats too seldom
 */
export function repetition(
  values: Float64Array,
  period: number,
  lately: number,
): { readonly pairs: number; readonly evidence: number } {
  const all = countPairs(values, period, period);
  const last = countPairs(values, period, Math.max(values.length - lately, period));
  const repeats = all.both >= REPEATED * all.either && last.both > 0 && last.both >= REPEATED_LATELY * last.either;
  if (!repeats) return { pairs: all.pairs, evidence: 0 };
  const share = all.sold / all.observed;
  return { pairs: all.pairs, evidence: 2 * logLikelihoodRatio(all.both, all.either, share / (2 - share)) };
}

/** How often demand is there in both or in either of two months a period apart, of which the later is month `from` or a later one. */
function countPairs(values: Float64Array, period: number, from: number) {
  const counts = { pairs: 0, both: 0, either: 0, observed: 0, sold: 0 };
  for (let t = from - period; t < values.length; t++) {
    const now = values[t]!;
    if (Number.isNaN(now)) continue;
    counts.observed++;
    if (now > 0) counts.sold++;
    const before = t < from ? NaN : values[t - period]!;
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
