import { countObserved } from '../missing.js';
import { LEVELS, QUANTILE_LEVELS, type QuantileForecast } from '../types.js';
import { averageForecasts } from './average.js';
import { MAX_GAINS, NO_GAINS, PRIOR_WEIGHTS } from './weights.js';

/**
 * Penalty on the squared distance from the prior weights: the first for any workspace (.03 to .1 are alike on the training
 * origins of m3 and hospital), the second divided by the number of cases, since a few favor some member by chance. With every
 * set cut into workspaces of 12 series, training origins of m3, hospital, tourism and M1 gain .2, .2, .1 and .4 % of MASE by it;
 * 30 and 60 gain a little less, and whole sets stay as they are.
 */
const SHRINKAGE = 0.04;
const SHRINKAGE_OF_FEW = 10;
/** Steps of the descent and their rate, enough for the weights to settle. */
const STEPS = 150;
const LEARNING_RATE = 1;
const MEMBERS = PRIOR_WEIGHTS.length;
const MAX_WEIGHTS = PRIOR_WEIGHTS.map((weight, m) => MAX_GAINS[m]! * weight);
/** Fewer cases (a series at one origin each) than this leave the prior weights as they are. */
const MIN_SAMPLE = 8;

/** What the members forecast for one series at an earlier origin, and what then happened. */
export interface LearningCase {
  /** In the order of member-names.ts. */
  readonly members: readonly (QuantileForecast | null)[];
  /** Observed months of the history they started from. */
  readonly months: number;
  /** How steadily that history has grown, see steady-growth.ts. */
  readonly steadiness: number;
  /** Observed demand, NaN where missing. */
  readonly actual: Float64Array;
  /** Unit of the losses, > 0: the in-sample error of the seasonal naive, or the least share of the mean month that counts as one. */
  readonly scale: number;
}

/**
 * What a workspace's own backtest says of each member: the factor by which exponentiated gradient descent (Kivinen & Warmuth,
 * Information and Computation 132, 1997) changes its prior weight. The loss is the mean scaled pinball loss of the averaged
 * quantiles plus a penalty on the distance from the prior weights. An absent member counts as the average of the others by their prior
 * weights, which asks for no change of its own. It is nearly what the combination makes of it, where the others share its weight.
 */
export function learnGains(cases: readonly LearningCase[]): readonly number[] {
  const informative = cases.filter((one) => one.members.some((forecast) => forecast !== null));
  if (informative.length < MIN_SAMPLE) return NO_GAINS;
  const shrinkage = SHRINKAGE + SHRINKAGE_OF_FEW / informative.length;
  const months = observedMonths(informative);
  const weights = Float64Array.from(PRIOR_WEIGHTS);
  const gradient = new Float64Array(MEMBERS);
  for (let step = 0; step < STEPS; step++) {
    gradient.fill(0);
    addGradient(months, weights, gradient);
    for (let m = 0; m < MEMBERS; m++) gradient[m]! += 2 * shrinkage * (weights[m]! - PRIOR_WEIGHTS[m]!);
    // from the lowest slope, which normalizing takes out again: no exponent overflows
    const lowest = gradient.reduce((low, slope, m) => (weights[m]! > 0 ? Math.min(low, slope) : low), Infinity);
    let sum = 0;
    for (let m = 0; m < MEMBERS; m++) {
      weights[m]! *= Math.exp(-LEARNING_RATE * (gradient[m]! - lowest));
      sum += weights[m]!;
    }
    for (let m = 0; m < MEMBERS; m++) weights[m]! /= sum;
    boundWeights(weights);
  }
  return Array.from(weights, (weight, m) => weight / PRIOR_WEIGHTS[m]!);
}

/**
 * Draws weights down to their bounds, in place; what is taken goes to the others in proportion, so that all still sum to one. A bound
 * on the gains alone would be none: where the others' are small, normalizing would undo it.
 */
function boundWeights(weights: Float64Array): void {
  let bounded = 0;
  let free = 0;
  for (let m = 0; m < MEMBERS; m++) {
    if (weights[m]! > MAX_WEIGHTS[m]!) bounded += MAX_WEIGHTS[m]!;
    else free += weights[m]!;
  }
  if (bounded === 0) return;
  for (let m = 0; m < MEMBERS; m++) {
    weights[m] = weights[m]! > MAX_WEIGHTS[m]! ? MAX_WEIGHTS[m]! : (weights[m]! / free) * (1 - bounded);
  }
}

/** The observed months of all cases, side by side: each of the many steps reads every number once. */
interface ObservedMonths {
  /** Demand, one number a month. */
  readonly actual: Float64Array;
  /** What a unit of loss in one level of the month counts for in the mean loss. */
  readonly unit: Float64Array;
  /** Quantiles of the members: month by month, level by level, members in their order. */
  readonly quantiles: Float64Array;
}

function observedMonths(cases: readonly LearningCase[]): ObservedMonths {
  const total = cases.reduce((sum, { actual }) => sum + countObserved(actual), 0);
  const months = {
    actual: new Float64Array(total),
    unit: new Float64Array(total),
    quantiles: new Float64Array(total * LEVELS * MEMBERS),
  };
  let month = 0;
  for (const { members, actual, scale } of cases) {
    const unit = 1 / cases.length / (countObserved(actual) * LEVELS * scale);
    const average = averageForecasts(members, PRIOR_WEIGHTS);
    for (const [k, value] of actual.entries()) {
      if (Number.isNaN(value)) continue;
      months.actual[month] = value;
      months.unit[month] = unit;
      for (let j = 0; j < LEVELS; j++) {
        for (let m = 0; m < MEMBERS; m++)
          months.quantiles[(month * LEVELS + j) * MEMBERS + m] = (members[m] ?? average).quantiles[k * LEVELS + j]!;
      }
      month++;
    }
  }
  return months;
}

/** Adds the gradient of the mean scaled pinball loss. */
function addGradient({ actual, unit, quantiles }: ObservedMonths, weights: Float64Array, gradient: Float64Array): void {
  let at = 0;
  for (let month = 0; month < actual.length; month++) {
    const value = actual[month]!;
    for (let j = 0; j < LEVELS; j++, at += MEMBERS) {
      let combined = 0;
      for (let m = 0; m < MEMBERS; m++) combined += weights[m]! * quantiles[at + m]!;
      // Twice the pinball loss, the convention of the weighted quantile loss; the median's is then the absolute error.
      const slope = 2 * unit[month]! * (value < combined ? 1 - QUANTILE_LEVELS[j]! : -QUANTILE_LEVELS[j]!);
      // Measured from the combination, which changes nothing under normalized weights and keeps the exponents small.
      for (let m = 0; m < MEMBERS; m++) gradient[m]! += slope * (quantiles[at + m]! - combined);
    }
  }
}
