import { logGamma } from '../../../numeric/gamma.js';
import { SEASON } from '../../types.js';
import type { MonthSums } from './month-sums.js';

/**
 * How much the season of a series may differ from the common one: its factors are gamma distributed around those, with these
 * shapes, in orders a calendar month. The last one is that of series that have no season of their own.
 */
export const STRENGTHS: readonly number[] = [0.5, 1, 2, 4, 8, 16, 32, 64, Infinity];
/** Shares of the strengths before any series is seen: four in five have no season of their own, each weaker bond is
 * half as likely. One half or nine in ten change the gains by .2 %. */
const PRIOR_SHARES = STRENGTHS.map((strength, i) =>
  strength === Infinity ? 0.8 : 0.1 / 2 ** (STRENGTHS.length - 2 - i),
);
/** Series that the prior shares count as. */
const PRIOR_SERIES = 20;
/** Rounds of expectation-maximisation. */
const ROUNDS = 50;
/**
 * Share of the log likelihood that counts. Orders of a series come in heaps that one dispersion does not describe; with all of it
 * car parts, which have no season, lose up to .1 % of WQL9 (workspaces of 34), with half of it .03 %, and tourism gains no more.
 */
const TEMPER = 0.5;

/** Log likelihood of the months of a series for each of {@link STRENGTHS}, up to a constant: gamma-Poisson by calendar month. */
export function strengthLikelihoods({ demand, level }: MonthSums, common: readonly number[]): Float64Array {
  return Float64Array.from(STRENGTHS, (shape) => {
    let sum = 0;
    for (let m = 0; m < SEASON; m++) {
      const expected = level[m]! * common[m]!;
      const count = demand[m]!;
      if (expected > 0) sum += shape === Infinity ? poisson(count, expected) : gammaPoisson(count, expected, shape);
    }
    return TEMPER * sum;
  });
}

function poisson(count: number, expected: number): number {
  return count * Math.log(expected) - expected;
}

function gammaPoisson(count: number, expected: number, shape: number): number {
  return (
    logGamma(shape + count) -
    logGamma(shape) +
    shape * Math.log(shape / (shape + expected)) +
    count * Math.log(expected / (shape + expected))
  );
}

/** Shares of the strengths over a workspace by expectation-maximisation (mixture proportions; Dempster, Laird & Rubin 1977). */
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

/** Probability of each strength for one series. */
export function strengthPosterior(likelihoods: Float64Array, shares: readonly number[]): Float64Array {
  const posterior = relativeLikelihoods(likelihoods).map((one, i) => shares[i]! * one);
  const sum = posterior.reduce((total, one) => total + one, 0);
  return posterior.map((one) => one / sum);
}

/** Likelihoods over the largest of them. */
function relativeLikelihoods(likelihoods: Float64Array): Float64Array {
  const largest = likelihoods.reduce((most, one) => Math.max(most, one), -Infinity);
  return likelihoods.map((one) => Math.exp(one - largest));
}
