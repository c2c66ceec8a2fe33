import { calendarMonth } from '../calendar.js';
import { thirdOf } from '../combination/calibration.js';
import { emptyForecast } from '../methods/forecaster.js';
import { LEVELS, SEASON, type DemandHistory, type QuantileForecast } from '../types.js';
import type { SeasonalShape } from './category-shape.js';

/**
 * Forecast of a new item: the mean of its few deseasonalised months is its level, the borrowed shape its season, and the
 * pooled ratios its spread, which widens with the thirds of a year ahead. At least one month must be observed.
 */
export function forecastFromShape(
  { values, startMonth }: DemandHistory,
  shape: SeasonalShape,
  ratios: readonly number[],
  horizon: number,
): QuantileForecast {
  let level = 0;
  let observed = 0;
  values.forEach((value, t) => {
    if (Number.isNaN(value)) return;
    level += Math.max(0, value) / shape.factors[calendarMonth(startMonth + t)]!;
    observed++;
  });
  level /= observed;
  const forecast = emptyForecast(horizon);
  for (let k = 0; k < horizon; k++) {
    const expected = level * shape.factors[calendarMonth(startMonth + values.length + k)]!;
    const third = thirdOf(k, SEASON);
    let mean = 0;
    for (let j = 0; j < LEVELS; j++) {
      const ratio = ratios[third * LEVELS + j]!;
      forecast.quantiles[k * LEVELS + j] = expected * ratio;
      mean += ratio / LEVELS;
    }
    forecast.mean[k] = expected * mean;
  }
  return forecast;
}
