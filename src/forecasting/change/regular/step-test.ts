import { clamp } from '../../../numeric/clamp.js';
import { choleskyFactor, solveLower } from '../../../numeric/cholesky.js';
import { normalScore } from '../../../numeric/normal-score.js';
import { COLUMNS } from './seasonal-regression.js';
import {
  expectedValue,
  noiseVariance,
  type ObservedMonth,
  type PredictorState,
  writeLoadings,
} from './predictor-state.js';
import { growthFactor } from './constant-growth.js';

/** One month counts at most this many of its standard errors as evidence. */
const MAX_EVIDENCE = 3;

/**
 * Evidence that `months` lie on another level than the one `state` knew before them: the generalised-least-squares estimate of a
 * step over its standard error, as a normal score; positive upwards (the generalised likelihood ratio of a step: Willsky & Jones,
 * IEEE Transactions on Automatic Control 21, 1976). Months share the errors of the level, season and growth they are predicted
 * from, so five months are less than five times the evidence of one.
 */
export function stepScore(state: PredictorState, months: readonly ObservedMonth[]): number {
  const n = months.length;
  const loadings = months.map(({ index }) => {
    const loading = new Float64Array(COLUMNS);
    writeLoadings(state, index, loading);
    return loading;
  });
  const expected = months.map(({ index }) => expectedValue(state, state.coefficients, index));
  const covariance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = state.levelVariance + (i === j ? noiseVariance(state, expected[i]!) : 0);
      for (let k = 0; k < COLUMNS; k++) sum += loadings[i]![k]! * loadings[j]![k]!;
      covariance[i * n + j] = sum;
    }
  }
  const sigma = Math.sqrt(state.variance);
  const errors = Float64Array.from(months, ({ index, value }, i) => {
    const bound = MAX_EVIDENCE * Math.sqrt(covariance[i * n + i]!);
    return clamp((value / growthFactor(state.growth, index) - expected[i]!) / sigma, -bound, bound);
  });
  const step = new Float64Array(n).fill(1);
  const factor = new Float64Array(n * n);
  choleskyFactor(covariance, new Float64Array(n), n, factor);
  solveLower(factor, n, errors, errors);
  solveLower(factor, n, step, step);
  let product = 0;
  let information = 0;
  for (let i = 0; i < n; i++) {
    product += step[i]! * errors[i]!;
    information += step[i]! * step[i]!;
  }
  return normalScore(product / Math.sqrt(information), state.freedom);
}
