import { sumOf } from '../../../numeric/sum.js';
import { calendarMonth } from '../../calendar.js';
import { systematicSample } from '../../history.js';
import { SEASON } from '../../types.js';
import type { ExposedDemand } from '../exposed-demand.js';
import { commonSeason } from './common-season.js';
import {
  type DatedCounts,
  type MonthSums,
  sumsOfFewMonths,
  type SeasonEvidence,
  seasonEvidence,
  weightOf,
  withMeanOne,
  type YearlyChanges,
  yearlyChanges,
} from './month-sums.js';
import {
  learnShares,
  loadedSeasons,
  LOADINGS,
  type SeasonOdds,
  seasonOdds,
  strengthLikelihoods,
  STRENGTHS,
} from './season-strength.js';

/** What is learned about seasons from the counted series of a workspace. Plain JSON, stored with the run. */
export interface CountSeason {
  /** Factors by calendar month that the series have in common, January first, mean 1. */
  readonly common: readonly number[];
  /** Shares of `STRENGTHS` and then of `LOADINGS` over the series. */
  readonly shares: readonly number[];
  /** Variance to mean ratio within the season. */
  readonly dispersion: number;
}

/** Season of one series by calendar month, January first. */
export interface SeasonalFactors {
  /** Mean 1. */
  readonly factors: Float64Array;
  /** Variances of a series' own factors, as they are estimated; 0 where it has none of its own. */
  readonly variances: Float64Array;
}

/** Fewest months, with the same month of the year before, that a season is estimated from. */
const MIN_PAIRS = 12;
/** Series that shares of strengths are learned from; the common season is learned from all. */
const SHARES_SAMPLE = 600;
/** A season of its own counts from this probability on. .7 gains .2 % less of WQL9 on tourism, the rest stays. */
const LIKELY = 0.5;
/** Smaller factors are of months that hardly sell. */
const MIN_FACTOR = 0.25;
/** Rounds in which the common season is learned from the series that have it, at most, and the change of a logarithm that ends them. */
const ROUNDS = 8;
const SETTLED = 0.01;

/**
 * Learns the seasons of counted demand over a workspace, of which one series with two years is enough; null where there is none.
 * Without it, counts are forecast flat. docs/engine-infrequent-demand.md has what it gains. The common season is learned anew from
 * the series that have it, by the probability that they do: the flat items of a workspace must not take on a little of its Christmas
 * goods, nor these be damped by those.
 */
export function learnCountSeason(all: readonly DatedCounts[]): CountSeason | null {
  const candidates = all
    .map((series) => ({ series, changes: yearlyChanges(series.counts) }))
    .filter(({ changes }) => hasSeasonEvidence(changes));
  if (candidates.length === 0) return null;
  const dispersion = pooledDispersion(candidates.map(({ changes }) => changes));
  const evidence = candidates.map(({ series, changes }) => seasonEvidence(series, changes, dispersion));
  let season = seasonOf(evidence, dispersion, () => 1);
  for (let round = 1; round < ROUNDS; round++) {
    const before = season;
    season = seasonOf(evidence, dispersion, ({ sums }) => partInCommon(oddsOf(sums, before)));
    if (season.common.every((factor, m) => Math.abs(Math.log(factor / before.common[m]!)) < SETTLED)) break;
  }
  return season;
}

/** The season that the evidence shows, each series counting in the common one by its share. */
function seasonOf(
  evidence: readonly SeasonEvidence[],
  dispersion: number,
  shareOf: (one: SeasonEvidence) => number,
): CountSeason {
  const common = commonSeason(evidence, evidence.map(shareOf));
  const likelihoods = systematicSample(evidence, SHARES_SAMPLE).map(({ sums }) => strengthLikelihoods(sums, common));
  return { common, shares: learnShares(likelihoods), dispersion };
}

function oddsOf(sums: MonthSums, { common, shares }: CountSeason): SeasonOdds {
  return seasonOdds(strengthLikelihoods(sums, common), shares);
}

/** Probability of a season of its own. */
function ownProbability({ strengths }: SeasonOdds): number {
  return sumOf(strengths);
}

/** How much of the common season is expected in a series, all at most. */
function partInCommon({ loadings }: SeasonOdds): number {
  return loadings.reduce((sum, one, i) => sum + one * Math.min(1, LOADINGS[i]!), 0);
}

/** Demand by month beside what the season has each month count for. */
export function exposeCounts(
  { counts, startMonth }: DatedCounts,
  { factors, variances }: SeasonalFactors,
): ExposedDemand {
  const byMonth = (values: Float64Array): Float64Array =>
    counts.map((count, t) => (Number.isNaN(count) ? 0 : values[calendarMonth(startMonth + t)]!));
  return {
    demand: counts.map((count) => (Number.isNaN(count) ? 0 : count)),
    exposure: byMonth(factors),
    uncertainty: byMonth(variances),
  };
}

const knownFactors = (factors: ArrayLike<number>): SeasonalFactors => ({
  factors: Float64Array.from(factors),
  variances: new Float64Array(SEASON),
});
const flatFactors = (): SeasonalFactors => knownFactors(new Float64Array(SEASON).fill(1));

/**
 * Posterior mean and variance of a series' own factors (Poisson rates with a gamma prior; Clayton & Kaldor, Biometrics 43, 1987)
 * where it is likely to have a season of its own; elsewhere, and under two years, as much of the common one as is expected. All
 * factors are 1 where nothing is known of seasons.
 */
export function seasonalFactors(series: DatedCounts, season: CountSeason | null): SeasonalFactors {
  if (!season) return flatFactors();
  const { common } = season;
  const changes = yearlyChanges(series.counts);
  const hasEvidence = hasSeasonEvidence(changes);
  const sums = hasEvidence
    ? seasonEvidence(series, changes, season.dispersion).sums
    : sumsOfFewMonths(series, season.dispersion);
  const likelihoods = strengthLikelihoods(sums, common);
  // with few months a season of their own cannot be distinguished from chance
  if (!hasEvidence) likelihoods.fill(-Infinity, 0, STRENGTHS.length);
  const odds = seasonOdds(likelihoods, season.shares);
  return ownProbability(odds) < LIKELY ? expectedCommon(series, common, odds) : expectedOwn(sums, common, odds);
}

/** As much of the common season as is expected in a series. */
function expectedCommon(series: DatedCounts, common: readonly number[], { loadings }: SeasonOdds): SeasonalFactors {
  const means = new Float64Array(SEASON);
  loadedSeasons(common).forEach((loaded, i) => {
    for (let m = 0; m < SEASON; m++) means[m]! += loadings[i]! * loaded[m]!;
  });
  const factors = withMeanOne(means);
  // flat to the last digit, so that months and series stay alike where there is no season
  const flat = common.every((factor) => factor === 1) || soldBesideSeason(series, factors);
  return flat ? flatFactors() : knownFactors(factors);
}

/** Means and variances of a series' factors over all that its season may be. */
function expectedOwn(
  { demand, level }: MonthSums,
  common: readonly number[],
  { strengths, loadings }: SeasonOdds,
): SeasonalFactors {
  const means = new Float64Array(SEASON);
  const squares = new Float64Array(SEASON);
  loadedSeasons(common).forEach((loaded, i) => {
    for (let m = 0; m < SEASON; m++) {
      means[m]! += loadings[i]! * loaded[m]!;
      squares[m]! += loadings[i]! * loaded[m]! ** 2;
    }
  });
  STRENGTHS.forEach((strength, i) => {
    for (let m = 0; m < SEASON; m++) {
      const perOrder = common[m]! / (strength + level[m]! * common[m]!);
      const factor = (strength + demand[m]!) * perOrder;
      means[m]! += strengths[i]! * factor;
      squares[m]! += strengths[i]! * factor * (factor + perOrder);
    }
  });
  const scale = sumOf(means) / SEASON;
  return {
    factors: means.map((one) => one / scale),
    variances: squares.map((one, m) => (one - means[m]! ** 2) / scale ** 2),
  };
}

/** Whether all that a series sold fell into months that hardly sell. */
function soldBesideSeason({ counts, startMonth }: DatedCounts, factors: Float64Array): boolean {
  let sold = false;
  for (let t = 0; t < counts.length; t++) {
    if (!(counts[t]! > 0)) continue;
    if (factors[calendarMonth(startMonth + t)]! >= MIN_FACTOR) return false;
    sold = true;
  }
  return sold;
}

function hasSeasonEvidence({ pairs, demand }: YearlyChanges): boolean {
  return pairs >= MIN_PAIRS && demand > 0;
}

/** Median over the series, weighted by their demand: the few orders of a lumpy item must not hide the season of all others. */
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
