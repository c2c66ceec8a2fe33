import { SEASON } from '../types.js';
import { lastObserved } from '../missing.js';
import { writeNormalQuantiles } from '../quantiles/normal-quantiles.js';
import { emptyForecast, type Forecaster } from './forecaster.js';

/**
 * Each month repeats the latest observation of its calendar month; normal intervals whose variance grows by one
 * seasonal step a year (Hyndman & Athanasopoulos, Forecasting: Principles and Practice, 5.5). A calendar month never
 * observed takes the last observation. Under a year it is the naive forecast with random-walk intervals; where no two
 * months a step apart are observed, a step varies as a month of a random walk does.
 */
export const seasonalNaive: Forecaster = {
  minObservations: 1,
  forecast(values, horizon) {
    const lag = lagOf(values);
    const deviation = Math.sqrt(meanSquaredDifference(values, lag) ?? meanSquaredStep(values));
    const forecast = { ...emptyForecast(horizon), mean: seasonalNaivePoints(values, horizon) };
    forecast.mean.forEach((mean, k) => {
      writeNormalQuantiles(forecast.quantiles, k, mean, deviation * Math.sqrt(Math.floor(k / lag) + 1));
    });
    return forecast;
  },
};

/** Seasonal naive point forecasts alone, on any history with at least one observation. */
export function seasonalNaivePoints(values: Float64Array, horizon: number): Float64Array {
  const last = lastObserved(values);
  const isSeasonal = lagOf(values) === SEASON;
  return Float64Array.from({ length: horizon }, (_, k) =>
    isSeasonal ? latestOfMonth(values, values.length + k, last) : last,
  );
}

/** Months of a step: a year of history is enough to repeat it. */
const lagOf = (values: Float64Array): number => (values.length >= SEASON ? SEASON : 1);

function latestOfMonth(values: Float64Array, index: number, otherwise: number): number {
  for (let t = index - SEASON; t >= 0; t -= SEASON) {
    if (t < values.length && !Number.isNaN(values[t]!)) return values[t]!;
  }
  return otherwise;
}

/** Undefined where no two months `lag` apart are observed. */
function meanSquaredDifference(values: Float64Array, lag: number): number | undefined {
  let sum = 0;
  let count = 0;
  for (let t = lag; t < values.length; t++) {
    const difference = values[t]! - values[t - lag]!;
    if (Number.isNaN(difference)) continue;
    sum += difference * difference;
    count++;
  }
  return count > 0 ? sum / count : undefined;
}

/** Variance of a month's step of a random walk of which some months are missing: over n months it is n times as much. */
function meanSquaredStep(values: Float64Array): number {
  let sum = 0;
  let count = 0;
  let before = 0; // `values` begin with an observation
  for (let t = 1; t < values.length; t++) {
    if (Number.isNaN(values[t]!)) continue;
    sum += (values[t]! - values[before]!) ** 2 / (t - before);
    before = t;
    count++;
  }
  return sum / count;
}
