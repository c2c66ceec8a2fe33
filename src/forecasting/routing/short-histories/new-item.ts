import { calendarMonth } from '../../calendar.js';
import { thirdOf } from '../../combination/calibration.js';
import { emptyForecast } from '../../methods/forecaster.js';
import { LEVELS, SEASON, type MonthlyDemand, type QuantileForecast } from '../../types.js';
import type { BorrowedSeason } from './borrowed-season.js';

/**
 * Forecast of a new item: `ratios`, three rows of nine by thirds of a year ahead, times what is expected of it ({@link expectedDemand},
 * without season if null). At least one month must be observed.
 */
export function forecastNewItem(
  history: MonthlyDemand,
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

/**
 * Expected demand of a new item in each month ahead: level times season, and the mean month, weighted by the probability that it has
 * the season.
 */
export function expectedDemand(
  { values, startMonth }: MonthlyDemand,
  season: BorrowedSeason | null,
  horizon: number,
): Float64Array {
  const factorOf = (t: number): number => season?.factors[calendarMonth(startMonth + t)] ?? 1;
  const probability = season?.probability ?? 0;
  let level = 0;
  let mean = 0;
  let observed = 0;
  values.forEach((value, t) => {
    if (Number.isNaN(value)) return;
    level += value / factorOf(t);
    mean += value;
    observed++;
  });
  return Float64Array.from(
    { length: horizon },
    (_, k) => (probability * level * factorOf(values.length + k) + (1 - probability) * mean) / observed,
  );
}
