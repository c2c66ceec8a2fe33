import { SEASON } from '../../types.js';
import { INFEASIBLE } from '../../../numeric/nelder-mead.js';
import { type EtsForm, MIN_MULTIPLICATIVE } from './form.js';

/**
 * The recursions of exponential smoothing in error-correction form, run over a whole history. A missing month (NaN) moves the
 * states on by their own dynamics without an update and adds nothing to the likelihood, as a Kalman filter would.
 */

/** Smoothing parameters and the states before the first month. */
export interface EtsParameters {
  alpha: number;
  beta: number;
  gamma: number;
  /** 0 without trend, 1 with an undamped one. */
  phi: number;
  level: number;
  slope: number;
}

/** What a filter leaves behind; written in place, so that an evaluation of the likelihood allocates nothing. */
export interface FilterEnd {
  level: number;
  slope: number;
  /** Sum of the squared one-step errors (relative ones where the error is multiplicative). */
  squares: number;
}

/** Forecasts multiplied before one logarithm is taken; within the feasible range their product cannot underflow. */
const LOG_BATCH = 16;

/**
 * Non-seasonal forms. Returns n ln(sum of squared errors) of the n observed months, plus 2 sum ln(forecast) when errors are
 * multiplicative: minus twice the log-likelihood up to a constant.
 */
export function filterNonSeasonal(y: Float64Array, form: EtsForm, parameters: EtsParameters, end: FilterEnd): number {
  const { alpha, beta, phi } = parameters;
  const multiplicative = form.error === 'multiplicative';
  let { level, slope } = parameters;
  let observed = 0;
  let squares = 0;
  let logSum = 0;
  let product = 1;
  let batch = 0;
  for (let t = 0; t < y.length; t++) {
    slope *= phi;
    const forecast = level + slope;
    const error = y[t]! - forecast;
    if (Number.isNaN(error)) {
      level = forecast;
      continue;
    }
    observed++;
    if (multiplicative) {
      if (!(forecast > MIN_MULTIPLICATIVE)) return INFEASIBLE;
      const relative = error / forecast;
      squares += relative * relative;
      product *= forecast;
      if (++batch === LOG_BATCH) {
        logSum += Math.log(product);
        product = 1;
        batch = 0;
      }
    } else {
      squares += error * error;
    }
    level = forecast + alpha * error;
    slope += beta * error;
  }
  end.level = level;
  end.slope = slope;
  end.squares = squares;
  return criterion(squares, logSum + Math.log(product), observed);
}

/**
 * Seasonal forms; `seasonal` holds the 12 initial states and is updated in place. Seasonal states are corrected by the
 * deviation from the level before its own update, as in the state space forms. Otherwise as {@link filterNonSeasonal}.
 */
export function filterSeasonal(
  y: Float64Array,
  form: EtsForm,
  parameters: EtsParameters,
  seasonal: Float64Array,
  end: FilterEnd,
): number {
  const { alpha, beta, gamma, phi } = parameters;
  const multiplicativeError = form.error === 'multiplicative';
  const multiplicativeSeason = form.season === 'multiplicative';
  let { level, slope } = parameters;
  let observed = 0;
  let squares = 0;
  let logSum = 0;
  for (let t = 0; t < y.length; t++) {
    const j = t % SEASON;
    const season = seasonal[j]!;
    slope *= phi;
    const base = level + slope;
    const forecast = multiplicativeSeason ? base * season : base + season;
    const error = y[t]! - forecast;
    if (Number.isNaN(error)) {
      level = base;
      continue;
    }
    observed++;
    if (multiplicativeError) {
      if (!(forecast > MIN_MULTIPLICATIVE)) return INFEASIBLE;
      const relative = error / forecast;
      squares += relative * relative;
      logSum += Math.log(forecast);
    } else {
      squares += error * error;
    }
    let correction = error;
    if (multiplicativeSeason) {
      if (Math.abs(base) < MIN_MULTIPLICATIVE || Math.abs(season) < MIN_MULTIPLICATIVE) return INFEASIBLE;
      correction = error / season;
      seasonal[j] = season + (gamma * error) / base;
    } else {
      seasonal[j] = season + gamma * error;
    }
    level = base + alpha * correction;
    slope += beta * correction;
  }
  end.level = level;
  end.slope = slope;
  end.squares = squares;
  return criterion(squares, logSum, observed);
}

function criterion(squares: number, logSum: number, observed: number): number {
  const value = observed * Math.log(Math.max(squares, 1e-12 * observed)) + 2 * logSum;
  return value < INFEASIBLE ? value : INFEASIBLE;
}
