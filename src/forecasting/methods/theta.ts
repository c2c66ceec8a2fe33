import { linearTrend } from '../../numeric/linear-trend.js';
import { countObserved } from '../missing.js';
import { writeNormalQuantiles } from '../quantiles/normal-quantiles.js';
import type { QuantileForecast } from '../types.js';
import { forecastAdjusted } from './decomposition/seasonal-adjustment.js';
import { emptyForecast, type Forecaster } from './forecaster.js';
import { fitSimpleSmoothing } from './simple-exponential-smoothing.js';

/** Smoothing parameters tried: 51 between .01 and .99, fine enough that the likelihood is flat between two of them. */
const ALPHA_RANGE = { lowest: 0.01, highest: 0.99, points: 51 };

/**
 * The Theta method (Assimakopoulos & Nikolopoulos, International Journal of Forecasting 16, 2000) in the form of Hyndman &
 * Billah (same journal 19, 2003): simple exponential smoothing with a drift of half the linear slope, on the seasonally
 * adjusted series. Normal intervals with the variance of simple exponential smoothing.
 */
export const theta: Forecaster = {
  minObservations: 3,
  forecast: (values, horizon) => forecastAdjusted(values, (adjusted) => forecastTheta(adjusted, horizon)),
};

/** The Theta method without its own seasonal adjustment, a member of the combination. */
export const thetaNonSeasonal: Forecaster = {
  minObservations: 3,
  forecast: (values, horizon) => forecastTheta(values, horizon),
};

function forecastTheta(values: Float64Array, horizon: number): QuantileForecast {
  const { slope } = linearTrend(values);
  const { alpha, level, squares } = fitSimpleSmoothing(values, ALPHA_RANGE);
  const deviation = Math.sqrt(squares / Math.max(1, countObserved(values) - 2));
  const memory = (1 - Math.pow(1 - alpha, values.length)) / alpha;
  const forecast = emptyForecast(horizon);
  for (let k = 0; k < horizon; k++) {
    const mean = level + 0.5 * slope * (k + memory);
    forecast.mean[k] = mean;
    writeNormalQuantiles(forecast.quantiles, k, mean, deviation * Math.sqrt(1 + k * alpha * alpha));
  }
  return forecast;
}
