import { calendarMonth } from '../calendar.js';
import { thirdOf } from '../combination/calibration.js';
import { emptyForecast } from '../methods/forecaster.js';
import { LEVELS, SEASON, type DemandHistory, type QuantileForecast } from '../types.js';
import type { BorrowedSeason } from './borrowed-season.js';

/**
 * Forecast of a new item: the mean of its few deseasonalised months is its level, the borrowed season (none if null) its season, and `ratios`
 * are its spread, three rows of nine by thirds of a year ahead. At least one month must be observed.
 */
export function forecastNewItem(
  history: DemandHistory,
  season: BorrowedSeason | null,
  ratios: readonly number[],
  horizon: number,
): QuantileForecast {
  const expected = expectedDemand(history, season, horizon);
  const forecast = emptyForecast(horizon);
  for (let k = 0; k < horizon; k++) {
    const third = thirdOf(k, SEASON);
    let mean = 0;
    for (let j = 0; j < LEVELS; j++) {
      const ratio = ratios[third * LEVELS + j]!;
      forecast.quantiles[k * LEVELS + j] = expected[k]! * ratio;
      mean += ratio / LEVELS;
    }
    forecast.mean[k] = expected[k]! * mean;
  }
  return forecast;
}

/** Level of a new item times the season of each month ahead. Returns count as no demand. */
export function expectedDemand(
  { values, startMonth }: DemandHistory,
  season: BorrowedSeason | null,
  horizon: number,
): Float64Array {
  const factorOf = (t: number): number => season?.factors[calendarMonth(startMonth + t)] ?? 1;
  let level = 0;
  let observed = 0;
  values.forEach((value, t) => {
    if (Number.isNaN(value)) return;
    level += Math.max(0, value) / factorOf(t);
    observed++;
  });
  return Float64Array.from({ length: horizon }, (_, k) => (level / observed) * factorOf(values.length + k));
}
