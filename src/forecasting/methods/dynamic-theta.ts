import { clamp } from '../../numeric/clamp.js';
import { interpolateMissing } from '../missing.js';
import { writeNormalQuantiles } from '../quantiles/normal-quantiles.js';
import type { QuantileForecast } from '../types.js';
import { forecastAdjusted } from './decomposition/seasonal-adjustment.js';
import { emptyForecast, type Forecaster } from './forecaster.js';

/**
 * Dynamic optimized Theta model, DOTM (Fiorucci, Pellegrini, Louzada, Petropoulos & Koehler, International Journal of
 * Forecasting 32, 2016):
 *
 *   mu_t = l_{t-1} + (1 - 1/theta) [ (1-alpha)^{t-1} A_{t-1} + (1 - (1-alpha)^t) / alpha * B_{t-1} ],
 *   l_t = alpha y_t + (1-alpha) l_{t-1},
 *
 * where A and B are intercept and slope of the regression line through the first t-1 observations. For a given smoothing
 * parameter alpha the one-step forecasts are linear in the first level and in 1 - 1/theta, so those two are solved by least
 * squares and only alpha is searched. Future values are normal with variances that follow from the response to one shock.
 * Missing months are interpolated.
 */
export const dynamicTheta: Forecaster = {
  minObservations: 5,
  forecast: (values, horizon) => forecastAdjusted(values, (adjusted) => forecastDynamicTheta(adjusted, horizon)),
};

/** DOTM without its own seasonal adjustment, a member of the combination. */
export const dynamicThetaNonSeasonal: Forecaster = {
  minObservations: 5,
  forecast: (values, horizon) => forecastDynamicTheta(values, horizon),
};

/** Range of alpha in which the model was proposed, kept off 0 where the weights of the line explode. */
const MIN_ALPHA = 0.05;
const MAX_ALPHA = 0.995;
/** Points of the grid over alpha, and steps of the golden section after it: alpha is then known to about 2e-4. */
const GRID_POINTS = 24;
const GOLDEN_STEPS = 12;
const GOLDEN_RATIO = 0.6180339887498949;
/** theta in [1, 50], as weight 1 - 1/theta of the line. */
const MAX_LINE_WEIGHT = 1 - 1 / 50;

/** Regression lines through the first t observations, by t - 1. */
interface RunningLines {
  readonly intercept: Float64Array;
  readonly slope: Float64Array;
  /** State after the last observation, without a level. */
  readonly end: Float64Array;
}

interface ThetaFit {
  readonly alpha: number;
  readonly lineWeight: number;
  readonly initialLevel: number;
  readonly squares: number;
}

function forecastDynamicTheta(values: Float64Array, horizon: number): QuantileForecast {
  const y = interpolateMissing(values);
  const lines = runningLines(y);
  const fit = searchAlpha(y, lines);
  const n = y.length;
  const sigma = Math.sqrt(fit.squares / Math.max(1, n - 4));

  const state = lines.end;
  let level = fit.initialLevel;
  for (let t = 0; t < n; t++) level += fit.alpha * (y[t]! - level);
  state[LEVEL] = level;

  const forecast = emptyForecast(horizon);
  for (let k = 0; k < horizon; k++) {
    const mean = onePoint(state, fit, n + k);
    advance(state, mean, fit.alpha, n + k);
    forecast.mean[k] = mean;
  }
  const variance = new Float64Array(horizon).fill(1);
  for (let shock = 0; shock < horizon; shock++) {
    state.fill(0);
    advance(state, 1, fit.alpha, n + shock);
    for (let k = shock + 1; k < horizon; k++) {
      const response = onePoint(state, fit, n + k);
      variance[k]! += response * response;
      advance(state, response, fit.alpha, n + k);
    }
  }
  for (let k = 0; k < horizon; k++) {
    writeNormalQuantiles(forecast.quantiles, k, forecast.mean[k]!, sigma * Math.sqrt(variance[k]!));
  }
  return forecast;
}

function runningLines(y: Float64Array): RunningLines {
  const n = y.length;
  const lines = { intercept: new Float64Array(n), slope: new Float64Array(n), end: new Float64Array(STATE) };
  for (let t = 0; t < n; t++) {
    advance(lines.end, y[t]!, 0, t);
    lines.intercept[t] = lines.end[INTERCEPT]!;
    lines.slope[t] = lines.end[SLOPE]!;
  }
  return lines;
}

/** State of the recursion, as positions in a buffer. */
const LEVEL = 0;
const MEAN = 1;
const INTERCEPT = 2;
const SLOPE = 3;
const STATE = 4;

/** One-step forecast when `seen` observations have passed. */
function onePoint(state: Float64Array, fit: ThetaFit, seen: number): number {
  const decay = Math.pow(1 - fit.alpha, seen);
  const slopeWeight = (1 - decay * (1 - fit.alpha)) / fit.alpha;
  return state[LEVEL]! + fit.lineWeight * (decay * state[INTERCEPT]! + slopeWeight * state[SLOPE]!);
}

/** Takes in one more value after `seen` of them. */
function advance(state: Float64Array, value: number, alpha: number, seen: number): void {
  const count = seen + 1;
  state[LEVEL] = alpha * value + (1 - alpha) * state[LEVEL]!;
  const slope = ((count - 2) * state[SLOPE]! + (6 * (value - state[MEAN]!)) / count) / (count + 1);
  state[MEAN] = (seen * state[MEAN]! + value) / count;
  state[SLOPE] = seen === 0 ? 0 : slope;
  state[INTERCEPT] = state[MEAN] - (state[SLOPE] * (count + 1)) / 2;
}

/** Grid, then golden section between the neighbors of the best grid point: the likelihood may have several minima. */
function searchAlpha(y: Float64Array, lines: RunningLines): ThetaFit {
  const step = (MAX_ALPHA - MIN_ALPHA) / (GRID_POINTS - 1);
  let best = fitGivenAlpha(y, lines, MIN_ALPHA);
  for (let i = 1; i < GRID_POINTS; i++) {
    const fit = fitGivenAlpha(y, lines, MIN_ALPHA + i * step);
    if (fit.squares < best.squares) best = fit;
  }
  let low = Math.max(MIN_ALPHA, best.alpha - step);
  let high = Math.min(MAX_ALPHA, best.alpha + step);
  let left = fitGivenAlpha(y, lines, high - GOLDEN_RATIO * (high - low));
  let right = fitGivenAlpha(y, lines, low + GOLDEN_RATIO * (high - low));
  for (let i = 0; i < GOLDEN_STEPS; i++) {
    if (left.squares < right.squares) {
      high = right.alpha;
      right = left;
      left = fitGivenAlpha(y, lines, high - GOLDEN_RATIO * (high - low));
    } else {
      low = left.alpha;
      left = right;
      right = fitGivenAlpha(y, lines, low + GOLDEN_RATIO * (high - low));
    }
  }
  if (left.squares < best.squares) best = left;
  return right.squares < best.squares ? right : best;
}

/**
 * Least squares for the first level x and the line weight w in  r_t = x p_t + w g_t + error,  where r_t is the one-step error
 * of smoothing that starts at zero, p_t = (1-alpha)^t and g_t the value of the line.
 */
function fitGivenAlpha(y: Float64Array, lines: RunningLines, alpha: number): ThetaFit {
  const keep = 1 - alpha;
  let level = alpha * y[0]!;
  let decay = keep;
  let pp = 0;
  let pg = 0;
  let gg = 0;
  let pr = 0;
  let gr = 0;
  let rr = 0;
  for (let t = 1; t < y.length; t++) {
    const line = decay * lines.intercept[t - 1]! + ((1 - decay * keep) / alpha) * lines.slope[t - 1]!;
    const error = y[t]! - level;
    pp += decay * decay;
    pg += decay * line;
    gg += line * line;
    pr += decay * error;
    gr += line * error;
    rr += error * error;
    level += alpha * error;
    decay *= keep;
  }
  const determinant = pp * gg - pg * pg;
  const bestWeight = determinant > 1e-12 * pp * gg ? (pp * gr - pg * pr) / determinant : 0;
  const lineWeight = clamp(bestWeight, 0, MAX_LINE_WEIGHT);
  const initialLevel = (pr - lineWeight * pg) / pp;
  const squares =
    rr -
    2 * (initialLevel * pr + lineWeight * gr) +
    initialLevel * initialLevel * pp +
    2 * initialLevel * lineWeight * pg +
    lineWeight * lineWeight * gg;
  return { alpha, lineWeight, initialLevel, squares: Math.max(0, squares) };
}
