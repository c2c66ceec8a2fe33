import { SEASON } from '../types.js';
import { choleskyFactor, solveCholesky, solveLower } from '../../numeric/cholesky.js';
import { lastObserved, meanAbsolute, observedRange } from '../missing.js';
import { writeNormalQuantiles } from '../quantiles/normal-quantiles.js';
import { fitEts } from './ets/fit.js';
import { constantForecast, emptyForecast, type Forecaster } from './forecaster.js';
import { restoreEffects, withoutEffects } from './rescale.js';

/** Harmonics of the year; the sixth cannot be told from noise in the short histories this method is for. */
const HARMONICS = 5;
const COLUMNS = 2 + 2 * HARMONICS;
/** Penalties compared by leave-one-out error; the last switches the season off. */
const PENALTIES = [0.3, 1, 3, 8, 20, 60, 1e6];
/** Fixed mild penalty on the straight line. */
const TREND_PENALTY = 0.5;
/**
 * A month of a smaller share of the mean one is as good as zero: five harmonics cannot follow its logarithm, and swing in the other
 * months instead. Real seasons may fall to a hundredth, and are forecast better in logarithms (prescriptions cut to 18 months).
 */
const MIN_SHARE = 1e-3;
/** Floor of 1 - leverage in the leave-one-out error, so that a month fitted exactly does not dominate. */
const MIN_FREEDOM = 0.05;

/**
 * Season from a ridge regression on harmonics and a straight line, with the penalty rising with the harmonic and chosen by
 * leave-one-out error (PRESS; Allen, Technometrics 16, 1974); then simple exponential smoothing of the adjusted series.
 * Works from 13 months. Logarithms where every month has demand; missing months are left out of the regression.
 */
export const ridgeFourier: Forecaster = {
  minObservations: SEASON + 1,
  forecast(values, horizon) {
    const positive = observedRange(values).smallest > MIN_SHARE * meanAbsolute(values);
    const n = values.length;
    const season = fitSeason(positive ? values.map(Math.log) : values, horizon);
    const adjusted = withoutEffects(values, (t) => season[t]!, positive);
    const form = { error: 'additive', trend: 'none', season: 'none' } as const;
    const fit = fitEts(adjusted, form);
    if (!fit) return constantForecast(lastObserved(values), horizon);
    const forecast = emptyForecast(horizon);
    for (let k = 0; k < horizon; k++) {
      const deviation = fit.sigma * Math.sqrt(1 + k * fit.alpha * fit.alpha);
      forecast.mean[k] = fit.level;
      writeNormalQuantiles(forecast.quantiles, k, fit.level, deviation);
    }
    restoreEffects(forecast, (k) => season[n + k]!, positive);
    return forecast;
  },
};

/** Seasonal effect of every past month and of `horizon` future ones, on the scale of `y`. */
function fitSeason(y: Float64Array, horizon: number): Float64Array {
  const design = designOf(y.length, horizon);
  const gram = new Float64Array(COLUMNS * COLUMNS);
  const moment = new Float64Array(COLUMNS);
  for (let t = 0; t < y.length; t++) {
    if (Number.isNaN(y[t]!)) continue;
    const row = design[t]!;
    for (let i = 0; i < COLUMNS; i++) {
      const value = row[i]!;
      moment[i]! += value * y[t]!;
      for (let j = 0; j <= i; j++) gram[i * COLUMNS + j]! += value * row[j]!;
    }
  }
  const factor = new Float64Array(COLUMNS * COLUMNS);
  const ridge = new Float64Array(COLUMNS);
  ridge[1] = TREND_PENALTY;
  const beta = new Float64Array(COLUMNS);
  let smallest = Infinity;
  const best = new Float64Array(COLUMNS);
  for (const penalty of PENALTIES) {
    for (let i = 2; i < COLUMNS; i++) ridge[i] = 0.5 * penalty * (i >> 1);
    choleskyFactor(gram, ridge, COLUMNS, factor);
    solveCholesky(factor, COLUMNS, moment, beta);
    const error = leaveOneOutError(y, design, factor, beta);
    if (error < smallest) {
      smallest = error;
      best.set(beta);
    }
  }
  return Float64Array.from(design, (row) => {
    let effect = 0;
    for (let i = 2; i < COLUMNS; i += 2) effect += best[i]! * row[i]! + best[i + 1]! * row[i + 1]!;
    return effect;
  });
}

/** A row for each of n months and those of the horizon: 1, centered time as a share of the history, cosine and sine of each harmonic. */
function designOf(n: number, horizon: number): readonly Float64Array[] {
  const rows = new Float64Array((n + horizon) * COLUMNS);
  return Array.from({ length: n + horizon }, (_, t) => {
    const row = rows.subarray(t * COLUMNS, (t + 1) * COLUMNS);
    row[0] = 1;
    row[1] = (t - (n - 1) / 2) / n;
    for (let k = 1; k <= HARMONICS; k++) {
      const angle = (2 * Math.PI * k * t) / SEASON;
      row[2 * k] = Math.cos(angle);
      row[2 * k + 1] = Math.sin(angle);
    }
    return row;
  });
}

function leaveOneOutError(
  y: Float64Array,
  design: readonly Float64Array[],
  factor: Float64Array,
  beta: Float64Array,
): number {
  const solution = new Float64Array(COLUMNS);
  let total = 0;
  for (let t = 0; t < y.length; t++) {
    if (Number.isNaN(y[t]!)) continue;
    const row = design[t]!;
    let fitted = 0;
    for (let i = 0; i < COLUMNS; i++) fitted += row[i]! * beta[i]!;
    solveLower(factor, COLUMNS, row, solution);
    let leverage = 0;
    for (let i = 0; i < COLUMNS; i++) leverage += solution[i]! * solution[i]!;
    const error = (y[t]! - fitted) / Math.max(MIN_FREEDOM, 1 - leverage);
    total += error * error;
  }
  return total;
}
