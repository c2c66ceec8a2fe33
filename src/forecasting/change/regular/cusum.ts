/** Allowance: half of the shift, in sigmas, that the chart is tuned to find. */
export const ALLOWANCE = 0.5;
/** One observation counts at most this many sigmas: a single spike is no new level. */
export const LARGEST_SCORE = 3;

/**
 * One side of a cumulative sum chart (Page, Biometrika 41, 1954) after one observation more: S = max(0, S + increment). With
 * increment z - .5 this is the log-likelihood ratio of a shift by one sigma. The sum is held at twice the limit, so that one long
 * excursion does not outlive its cause.
 */
export function nextSum(sum: number, increment: number, limit: number): number {
  return Math.min(Math.max(0, sum + increment), 2 * limit);
}
