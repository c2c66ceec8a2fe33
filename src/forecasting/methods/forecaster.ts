import { binaryScale, countObserved, firstObserved, lastObserved, observedRange } from '../missing.js';
import { LEVELS, type QuantileForecast } from '../types.js';
import { divideForecast } from './rescale.js';

/**
 * A forecasting method: pure, deterministic for a seed. {@link runForecaster} calls it with a series that starts with an
 * observation, has a mean absolute value near 1, is not constant, and has at least `minObservations` observed months; NaN
 * marks a missing month. `horizon` is 1..36.
 */
export interface Forecaster {
  readonly minObservations: number;
  forecast(values: Float64Array, horizon: number, seed: number): QuantileForecast;
}

/** An empty forecast of `horizon` months, all zero. */
export function emptyForecast(horizon: number): QuantileForecast {
  return { mean: new Float64Array(horizon), quantiles: new Float64Array(horizon * LEVELS) };
}

/** Every month and every quantile equal to `value`. */
export function constantForecast(value: number, horizon: number): QuantileForecast {
  const forecast = emptyForecast(horizon);
  forecast.mean.fill(value);
  forecast.quantiles.fill(value);
  return forecast;
}

/**
 * Runs a method safely on any history: leading gaps are cut, the scale is taken out and put back (so that 1e-12 and 1e12
 * are the same problem), a constant series gets its constant. Returns null when fewer months are observed than the method
 * needs. The result is finite and its quantiles ascend; values are not clamped at zero.
 */
export function runForecaster(
  method: Forecaster,
  history: Float64Array,
  horizon: number,
  seed: number,
): QuantileForecast | null {
  const values = history.slice(firstObserved(history));
  const observed = countObserved(values);
  if (observed === 0) return null;
  const { smallest, largest } = observedRange(values);
  if (smallest === largest) return constantForecast(smallest, horizon);
  if (observed < method.minObservations) return null;
  const scale = binaryScale(values);
  for (let t = 0; t < values.length; t++) values[t]! /= scale;
  const forecast = method.forecast(values, horizon, seed);
  makeFiniteAndOrdered(forecast, lastObserved(values));
  divideForecast(forecast, 1 / scale);
  return forecast;
}

/** Bound on scaled forecasts: a fit that explodes beyond a million times the usual demand is no forecast. */
const MAX_SCALED = 1e6;

/**
 * Makes a forecast on the scaled series finite and ordered, in place: values that are not finite are replaced by
 * `fallback`, quantiles of a month are sorted.
 */
export function makeFiniteAndOrdered(forecast: QuantileForecast, fallback: number): void {
  bound(forecast.mean, fallback);
  bound(forecast.quantiles, fallback);
  sortQuantiles(forecast.quantiles);
}

function bound(numbers: Float64Array, fallback: number): void {
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i]!;
    if (Number.isNaN(value)) numbers[i] = fallback;
    else if (value > MAX_SCALED) numbers[i] = MAX_SCALED;
    else if (value < -MAX_SCALED) numbers[i] = -MAX_SCALED;
  }
}

/** Sorts the nine quantiles of every month in place (insertion sort: they are almost always in order). */
function sortQuantiles(quantiles: Float64Array): void {
  for (let row = 0; row < quantiles.length; row += LEVELS) {
    for (let j = 1; j < LEVELS; j++) {
      const value = quantiles[row + j]!;
      let i = j - 1;
      while (i >= 0 && quantiles[row + i]! > value) {
        quantiles[row + i + 1] = quantiles[row + i]!;
        i--;
      }
      quantiles[row + i + 1] = value;
    }
  }
}
