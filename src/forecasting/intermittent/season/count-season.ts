import { calendarMonth } from '../../calendar.js';
import { systematicSample } from '../../history.js';
import { SEASON } from '../../types.js';
import { recentSums } from '../rates.js';
import { commonSeason } from './common-season.js';
import {
  type DatedCounts,
  type MonthSums,
  type Telling,
  tellingOf,
  weightOf,
  withMeanOne,
  type YearlyChanges,
  yearlyChanges,
} from './month-sums.js';
import { learnShares, strengthLikelihoods, strengthPosterior, STRENGTHS } from './season-strength.js';

/** What the counted series of a workspace tell of their seasons. Plain JSON, stored with the run. */
export interface CountSeason {
  /** Factors by calendar month that the series have in common, January first, mean 1. */
  readonly common: readonly number[];
  /** Shares of `STRENGTHS` over the series. */
  readonly shares: readonly number[];
  /** Variance to mean ratio within the season. */
  readonly dispersion: number;
}

/** Demand with its season taken out, and the way back. */
export interface SeasonlessDemand {
  /** In steps of `unit`, missing months left out. */
  readonly counts: Float64Array;
  readonly unit: number;
  /** Seasonal factors by calendar month, January first, mean 1. */
  readonly factors: Float64Array;
}

/** Months with the same month of the year before, from which a series tells of a season. */
const FEWEST_PAIRS = 12;
/** Fewer such series say nothing about a workspace. */
const FEWEST_SERIES = 8;
/** Series that shares of strengths are learnt from; the common season is learnt from all. */
const SHARES_SAMPLE = 600;
/** A season of its own counts from this probability on. .7 gains .2 % less of WQL9 on tourism, the rest stays. */
const LIKELY = 0.5;
/** Logarithm of the odds, twenty to one, from which a series of under two years goes without the common season. */
const MUCH_LIKELIER = 3;
/**
 * Months with a smaller factor are left out of the demand without season: none or few pieces over next to nothing say little of
 * the level, and goods of a few months would all but vanish under the zeros of the others.
 */
const SMALLEST_FACTOR = 0.25;

/**
 * Learns the seasons of counted demand over a workspace; null where too few series have two years. Without it, counts are
 * forecast flat. docs/engine.md has what it gains. The common season is learnt once more with less of the series that are
 * likely to have one of their own: the flat items of a workspace must not take on a little of its Christmas goods.
 */
export function learnCountSeason(all: readonly DatedCounts[]): CountSeason | null {
  const candidates = all
    .map((series) => ({ series, changes: yearlyChanges(series.counts) }))
    .filter(({ changes }) => tellsSeason(changes));
  if (candidates.length < FEWEST_SERIES) return null;
  const dispersion = pooledDispersion(candidates.map(({ changes }) => changes));
  const telling = candidates.map(({ series, changes }) => tellingOf(series, changes, dispersion));
  const first = seasonOf(telling, dispersion, () => 1);
  return seasonOf(telling, dispersion, ({ sums }) => 1 - ownProbability(strengthsOf(sums, first)));
}

/** What the series tell of seasons, each counting in the common one by its `share`. */
function seasonOf(telling: readonly Telling[], dispersion: number, shareOf: (one: Telling) => number): CountSeason {
  const common = commonSeason(telling, telling.map(shareOf));
  const likelihoods = systematicSample(telling, SHARES_SAMPLE).map(({ sums }) => strengthLikelihoods(sums, common));
  return { common, shares: learnShares(likelihoods), dispersion };
}

/** Probability of each strength for one series. */
function strengthsOf(sums: MonthSums, { common, shares }: CountSeason): Float64Array {
  return strengthPosterior(strengthLikelihoods(sums, common), shares);
}

/** Probability of a season of its own. */
function ownProbability(strengths: Float64Array): number {
  return 1 - strengths.at(-1)!;
}

/**
 * Takes the season out of the demand of a series; all factors are 1 where nothing is known of seasons, or where all that it sold
 * fell into months that hardly sell.
 */
export function withoutSeason(series: DatedCounts, season: CountSeason | null | undefined): SeasonlessDemand {
  const { counts, unit, startMonth } = series;
  const observed = counts.filter((count) => !Number.isNaN(count));
  const factors = season ? seasonalFactors(series, season) : flatFactors();
  if (factors.every((factor) => factor === 1)) return { counts: observed, unit, factors };
  const factorAt = (t: number): number => factors[calendarMonth(startMonth + t)]!;
  const tellsLevel = (count: number, t: number): boolean => !Number.isNaN(count) && factorAt(t) >= SMALLEST_FACTOR;
  const telling = counts.filter(tellsLevel);
  if (hasDemand(telling)) {
    const exposure = counts.map((_, t) => factorAt(t)).filter((_, t) => tellsLevel(counts[t]!, t));
    return { counts: overExposure(telling, exposure), unit, factors };
  }
  return { counts: observed, unit, factors: hasDemand(observed) ? flatFactors() : factors };
}

/**
 * Counts over their factors, scaled so that their discounted mean is the sum of demand over the sum of factors, as a Poisson rate is
 * estimated. The mean of the ratios is noisier, and too high where factors are wrong: thinned tourism loses .9 % of WQL9 by it.
 */
function overExposure(counts: Float64Array, exposure: Float64Array): Float64Array {
  const ratios = counts.map((count, t) => count / exposure[t]!);
  const mean = recentSums(ratios);
  const rate = recentSums(counts).value / recentSums(exposure).value;
  const scale = mean.value > 0 ? (rate * mean.weight) / mean.value : 1;
  return ratios.map((ratio) => ratio * scale);
}

const flatFactors = (): Float64Array => new Float64Array(SEASON).fill(1);
const hasDemand = (counts: Float64Array): boolean => counts.some((count) => count > 0);

/**
 * Posterior mean of a series' own factors (Poisson rates with a gamma prior; Clayton & Kaldor, Biometrics 43, 1987) where it is likely
 * to have a season of its own, the common ones elsewhere.
 */
function seasonalFactors(series: DatedCounts, season: CountSeason): Float64Array {
  const { common } = season;
  const changes = yearlyChanges(series.counts);
  if (!tellsSeason(changes)) return speaksAgainst(series, season) ? flatFactors() : Float64Array.from(common);
  const { sums } = tellingOf(series, changes, season.dispersion);
  const posterior = strengthsOf(sums, season);
  if (ownProbability(posterior) < LIKELY) return Float64Array.from(common);
  const { demand, level } = sums;
  const factors = new Float64Array(SEASON);
  STRENGTHS.forEach((strength, i) => {
    for (let m = 0; m < SEASON; m++) {
      const own = strength === Infinity ? 1 : (strength + demand[m]!) / (strength + level[m]! * common[m]!);
      factors[m]! += posterior[i]! * common[m]! * own;
    }
  });
  return withMeanOne(factors);
}

/** Whether the months of a series of under two years are much likelier without the common season than with it (Poisson, level fitted). */
function speaksAgainst({ counts, startMonth }: DatedCounts, { common, dispersion }: CountSeason): boolean {
  let months = 0;
  let expected = 0;
  let total = 0;
  let logFactors = 0;
  counts.forEach((count, t) => {
    if (Number.isNaN(count)) return;
    const factor = common[calendarMonth(startMonth + t)]!;
    months++;
    expected += factor;
    total += count;
    if (count > 0) logFactors += count * Math.log(factor);
  });
  return total * Math.log(expected / months) - logFactors > dispersion * MUCH_LIKELIER;
}

function tellsSeason({ pairs, demand }: YearlyChanges): boolean {
  return pairs >= FEWEST_PAIRS && demand > 0;
}

/** Median over the series, by how much demand tells it: the few orders of a lumpy item must not hide the season of all others. */
function pooledDispersion(all: readonly YearlyChanges[]): number {
  const sorted = all
    .map((changes) => ({
      ratio: Math.max(1, changes.squares / changes.demand),
      weight: changes.demand * weightOf(changes, 1),
    }))
    .sort((a, b) => a.ratio - b.ratio);
  let rest = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  return sorted.find(({ weight }) => (rest -= weight) <= 0)?.ratio ?? 1;
}
