import { LEVELS, QUANTILE_LEVELS, type QuantileForecast } from '../types.js';

/**
 * Weights before a workspace's own backtest speaks, in the order of `MEMBERS`: averaged ETS, dynamic theta, theta, seasonal
 * naive, network. Chosen on the training origins 1h to 4h of m3 and 1h, 2h of hospital (FINDINGS 12, 18).
 */
export const PRIOR_WEIGHTS: readonly number[] = [0.15, 0.15, 0.15, 0.06, 0.5].map((weight) => weight / 1.01);

/** Pull towards the prior weights, per squared difference (FINDINGS 21, 27: .03 to .1 are alike). */
const SHRINKAGE = 0.05;
const STEPS = 150;
const LEARNING_RATE = 1;
/** Fewer series than this leave the prior weights as they are. */
const SMALLEST_SAMPLE = 8;

/** What the members forecast for one series at an earlier origin, and what then happened. */
export interface LearningCase {
  /** In the order of `MEMBERS`. */
  readonly members: readonly (QuantileForecast | null)[];
  /** Observed demand, NaN where missing. */
  readonly actual: Float64Array;
  /** In-sample error of the seasonal naive, > 0. */
  readonly scale: number;
}

/**
 * Combination weights of a workspace by exponentiated gradient descent (Kivinen & Warmuth, Information and Computation 132,
 * 1997) on the mean scaled pinball loss of the averaged quantiles plus a penalty on the distance from the prior weights.
 * Members that are absent from any case keep no weight beyond their prior share of the present ones.
 */
export function learnWeights(cases: readonly LearningCase[], prior: readonly number[] = PRIOR_WEIGHTS): number[] {
  const present = prior.map((_, m) => cases.every((one) => one.members[m]));
  const total = prior.reduce((sum, weight, m) => sum + (present[m] ? weight : 0), 0);
  const start = prior.map((weight, m) => (present[m] && total > 0 ? weight / total : 0));
  if (cases.length < SMALLEST_SAMPLE || !(total > 0)) return [...prior];
  const weights = Float64Array.from(start);
  const gradient = new Float64Array(weights.length);
  for (let step = 0; step < STEPS; step++) {
    gradient.fill(0);
    for (const one of cases) addGradient(one, weights, 1 / cases.length, gradient);
    let sum = 0;
    for (let m = 0; m < weights.length; m++) {
      const slope = gradient[m]! + 2 * SHRINKAGE * (weights[m]! - start[m]!);
      weights[m]! *= Math.exp(-LEARNING_RATE * slope);
      sum += weights[m]!;
    }
    for (let m = 0; m < weights.length; m++) weights[m]! /= sum;
  }
  return Array.from(weights);
}

/** Adds `share` times the gradient of one case's scaled pinball loss. */
function addGradient(one: LearningCase, weights: Float64Array, share: number, gradient: Float64Array): void {
  const { members, actual, scale } = one;
  let observed = 0;
  for (const value of actual) if (!Number.isNaN(value)) observed++;
  if (observed === 0) return;
  const unit = share / (observed * LEVELS * scale);
  for (let k = 0; k < actual.length; k++) {
    const value = actual[k]!;
    if (Number.isNaN(value)) continue;
    for (let j = 0; j < LEVELS; j++) {
      const at = k * LEVELS + j;
      let combined = 0;
      for (let m = 0; m < weights.length; m++)
        if (weights[m]! > 0) combined += weights[m]! * members[m]!.quantiles[at]!;
      // Twice the pinball loss, the convention of the weighted quantile loss; the median's is then the absolute error.
      const slope = 2 * unit * (value < combined ? 1 - QUANTILE_LEVELS[j]! : -QUANTILE_LEVELS[j]!);
      for (let m = 0; m < weights.length; m++) {
        // Measured from the combination, which changes nothing under normalised weights and keeps the exponents small.
        if (weights[m]! > 0) gradient[m]! += slope * (members[m]!.quantiles[at]! - combined);
      }
    }
  }
}
