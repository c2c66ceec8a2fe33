import { emptyForecast } from '../methods/forecaster.js';
import { writeNormalQuantiles } from '../quantiles/normal-quantiles.js';
import type { QuantileForecast } from '../types.js';

/** The same normal distribution in every month. */
export function normalForecast(mean: number, deviation: number, horizon: number): QuantileForecast {
  const forecast = emptyForecast(horizon);
  forecast.mean.fill(mean);
  for (let k = 0; k < horizon; k++) writeNormalQuantiles(forecast.quantiles, k, mean, deviation);
  return forecast;
}
