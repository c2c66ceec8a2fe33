import type { QuantileForecast } from '../types.js';
import { emptyForecast } from '../methods/forecaster.js';

/**
 * Weighted average of forecasts, quantile by quantile (Vincent averaging; Lichtendahl, Grushka-Cockayne & Winkler,
 * Management Science 59, 2013) and mean by mean. Weights need not sum to one; absent forecasts (null) give theirs to the
 * others in proportion. One forecast at least must be there, with a weight above 0. All count alike by default.
 */
export function averageForecasts(
  forecasts: readonly (QuantileForecast | null)[],
  weights: readonly number[] = forecasts.map(() => 1),
): QuantileForecast {
  let total = 0;
  let horizon = 0;
  forecasts.forEach((forecast, i) => {
    if (!forecast) return;
    total += weights[i]!;
    horizon = forecast.mean.length;
  });
  const average = emptyForecast(horizon);
  forecasts.forEach((forecast, i) => {
    if (!forecast) return;
    const weight = weights[i]! / total;
    addScaled(average.mean, forecast.mean, weight);
    addScaled(average.quantiles, forecast.quantiles, weight);
  });
  return average;
}

function addScaled(sum: Float64Array, values: Float64Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += weight * values[i]!;
}
