import { sumOf } from '../../../numeric/sum.js';
import { logGamma } from '../../../numeric/gamma.js';
import { SEASON } from '../../types.js';
import { type MonthSums, withMeanOne } from './month-sums.js';

/**
 * How much the season of a series may differ from the common one where it has its own: its factors are gamma distributed around
 * those, with these shapes, in orders a calendar month.
 */
export const STRENGTHS: readonly number[] = [0.5, 1, 2, 4, 8, 16, 32, 64];
/**
 * How much of the common season a series may have where it has none of its own: factors raised to these powers. Workspaces hold
 * items with a season beside items without; with all or nothing in place of these, a simulated one of 30 and 70 % gains a tenth of what it gains.
 */
export const LOADINGS: readonly number[] = [1, 0, 0.5, 2];
/** Shares of the strengths and loadings before any series is seen: four in five have no season of their own, each weaker bond is
 * half as likely. One half or nine in ten change the gains by .2 %. */
const PRIOR_SHARES = [
  ...STRENGTHS.map((_, i) => 0.1 / 2 ** (STRENGTHS.length - 1 - i)),
  ...LOADINGS.map(() => 0.8 / LOADINGS.length),
];
/** Series that the prior shares count as. */
const PRIOR_SERIES = 20;
/** Rounds of expectation-maximisation. */
const ROUNDS = 50;
/**
 * Share of the log likelihood that counts. Orders of a series come in heaps that one dispersion does not describe; with all of it
 * car parts, which have no season, lose up to .1 % of WQL9 (workspaces of 34), with half of it .03 %, and tourism gains no more.
 */
const TEMPER = 0.5;

/** Probabilities of what the season of one series is. */
export interface SeasonOdds {
  /** Of its own, by {@link STRENGTHS}. */
  readonly strengths: Float64Array;
  /** The common one, by {@link LOADINGS}. */
  readonly loadings: Float64Array;
}

/** By common season: it is the same for all series of a workspace. */
const loaded = new WeakMap<readonly number[], readonly Float64Array[]>();

/** The common season at each of {@link LOADINGS}, mean 1. */
export function loadedSeasons(common: readonly number[]): readonly Float64Array[] {
  const known = loaded.get(common);
  if (known) return known;
  const seasons = LOADINGS.map((loading) => withMeanOne(Float64Array.from(common, (factor) => factor ** loading)));
  loaded.set(common, seasons);
  return seasons;
}

/**
 * Log likelihood of the months of a series for each of {@link STRENGTHS}, then of {@link LOADINGS}, up to a constant: gamma-Poisson and
 * Poisson by calendar month.
 */
export function strengthLikelihoods({ demand, level }: MonthSums, common: readonly number[]): Float64Array {
  const sumOver = (season: ArrayLike<number>, likelihood: (count: number, expected: number) => number): number => {
    let expected = 0;
    let months = 0;
    for (let m = 0; m < SEASON; m++) {
      expected += level[m]! * season[m]!;
      months += level[m]!;
    }
    let sum = 0;
    // the level is that of the months seen, whatever their season: they may be some of the year only
    for (let m = 0; m < SEASON; m++) {
      if (level[m]! > 0) sum += likelihood(demand[m]!, (level[m]! * season[m]! * months) / expected);
    }
    return TEMPER * sum;
  };
  return Float64Array.of(
    ...STRENGTHS.map((shape) => sumOver(common, (count, expected) => gammaPoisson(count, expected, shape))),
    ...loadedSeasons(common).map((season) => sumOver(season, poisson)),
  );
}

function poisson(count: number, expected: number): number {
  return count * Math.log(expected) - expected;
}

function gammaPoisson(count: number, expected: number, shape: number): number {
  const none = shape * Math.log(shape / (shape + expected));
  if (!(count > 0)) return none;
  return logGamma(shape + count) - logGamma(shape) + none + count * Math.log(expected / (shape + expected));
}

/** Shares over a workspace by expectation-maximisation (mixture proportions; Dempster, Laird & Rubin 1977). */
export function learnShares(likelihoods: readonly Float64Array[]): number[] {
  const relative = likelihoods.map(relativeLikelihoods);
  let shares = PRIOR_SHARES;
  for (let round = 0; round < ROUNDS; round++) {
    const sums = PRIOR_SHARES.map((share) => PRIOR_SERIES * share);
    for (const one of relative) {
      let total = 0;
      for (let i = 0; i < sums.length; i++) total += shares[i]! * one[i]!;
      for (let i = 0; i < sums.length; i++) sums[i]! += (shares[i]! * one[i]!) / total;
    }
    shares = sums.map((sum) => sum / (likelihoods.length + PRIOR_SERIES));
  }
  return shares;
}

/** Probabilities for one series. */
export function seasonOdds(likelihoods: Float64Array, shares: readonly number[]): SeasonOdds {
  // shares within the logarithm: what is likeliest may have none, and the rest would be 0 beside it
  const posterior = relativeLikelihoods(likelihoods.map((one, i) => one + Math.log(shares[i]!)));
  const sum = sumOf(posterior);
  const odds = posterior.map((one) => one / sum);
  return { strengths: odds.subarray(0, STRENGTHS.length), loadings: odds.subarray(STRENGTHS.length) };
}

/** Likelihoods over the largest of them. */
function relativeLikelihoods(likelihoods: Float64Array): Float64Array {
  const largest = likelihoods.reduce((most, one) => Math.max(most, one), -Infinity);
  return likelihoods.map((one) => Math.exp(one - largest));
}
