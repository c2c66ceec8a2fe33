import { clamp } from '../../../numeric/clamp.js';
import { solveLower } from '../../../numeric/cholesky.js';
import { normalScore } from '../../../numeric/normal-score.js';
import { COLUMNS } from './seasonal-regression.js';
import { growthFactor, type ConstantGrowth } from './constant-growth.js';

/** A month's noise is taken for at most this many times that of the warm-up's mean month, and for at least its inverse. */
const MAX_NOISE = 8;

/** A month with an observation. */
export interface ObservedMonth {
  /** Index in the history. */
  readonly index: number;
  /** Demand on the root scale. */
  readonly value: number;
}

/** Demand smoothed up to a month. */
export interface SmoothedLevel {
  /** Smoothed demand, and the smoothed regressors that belong to it. */
  level: number;
  readonly regressors: Float64Array;
  /** Variance of the level in variances of one month. */
  levelVariance: number;
  /** Mean of the warm-up. */
  readonly reference: number;
  /** Regressors of a month by its index. */
  readonly design: (index: number) => Float64Array;
}

/** What is known before a month, on a scale relative to constant growth. */
export interface PredictorState extends Readonly<SmoothedLevel> {
  readonly growth: ConstantGrowth;
  /** Of season and growth. */
  readonly coefficients: Float64Array;
  /** Lower Cholesky factor of the coefficients' precision. */
  readonly factor: Float64Array;
  /** What season and growth were learned from. */
  readonly learned: Float64Array;
  /** Variance of one month, and its degrees of freedom. */
  readonly variance: number;
  readonly freedom: number;
}

/** What is expected of a month. */
export interface Prediction {
  readonly expected: number;
  /** Standard deviation of its error. */
  readonly sigma: number;
  /** Variance of its error, in variances of one month. */
  readonly uncertainty: number;
  /** Normal score of an error: standard normal while nothing changes. */
  readonly score: (error: number) => number;
}

/** Of one prediction at a time. */
const scratch = new Float64Array(COLUMNS);

/** Predicts month `index` from what is known before it. */
export function predict(state: PredictorState, index: number): Prediction {
  const factor = growthFactor(state.growth, index);
  const expected = expectedValue(state, state.coefficients, index);
  let uncertainty = noiseVariance(state, expected) + state.levelVariance;
  writeLoadings(state, index, scratch);
  for (let i = 0; i < COLUMNS; i++) uncertainty += scratch[i]! * scratch[i]!;
  const sigma = factor * Math.sqrt(state.variance * uncertainty);
  return {
    expected: factor * expected,
    sigma,
    uncertainty,
    score: (error) => normalScore(error / sigma, state.freedom),
  };
}

/** Expected value of month `index`, relative to constant growth. */
export function expectedValue(smoothed: Readonly<SmoothedLevel>, coefficients: Float64Array, index: number): number {
  const row = smoothed.design(index);
  let sum = smoothed.level;
  for (let i = 0; i < COLUMNS; i++) sum += (row[i]! - smoothed.regressors[i]!) * coefficients[i]!;
  return sum;
}

/** Writes the regressors of month `index` less the smoothed ones to `out`. */
export function writeDistance({ design, regressors }: Readonly<SmoothedLevel>, index: number, out: Float64Array): void {
  const row = design(index);
  for (let i = 0; i < COLUMNS; i++) out[i] = row[i]! - regressors[i]!;
}

/**
 * Writes to `out` the vector u of month `index`, as long as there are coefficients: two months' predictions from `state` have errors
 * with covariance u'v + the variance of the level, in variances of one month, besides the months' own noise.
 */
export function writeLoadings(state: PredictorState, index: number, out: Float64Array): void {
  writeDistance(state, index, out);
  solveLower(state.factor, COLUMNS, out, out);
}

/**
 * Variance of a month's own noise where `expected` is expected, in variances of the warm-up's mean month. Demand's variance is
 * taken to grow with the power 1.75 of its mean (power law: Taylor, Nature 189, 1961), between counts (1) and constant relative
 * scatter (2); that of its root then grows with the power 1.5 of the root.
 */
export function noiseVariance({ reference }: Pick<SmoothedLevel, 'reference'>, expected: number): number {
  if (!(reference > 0)) return 1;
  const ratio = Math.max(expected / reference, 0);
  return clamp(ratio * Math.sqrt(ratio), 1 / MAX_NOISE, MAX_NOISE);
}
