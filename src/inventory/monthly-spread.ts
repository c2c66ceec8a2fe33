import { normalQuantile } from '../numeric/normal.js';
import { quantileSpread } from '../numeric/quantile-spread.js';
import { type DemandForecast, isInfrequent } from './types.js';

/** Forecast months of one origin. */
type ForecastMonths = Pick<DemandForecast, 'mean' | 'quantiles'>;

/**
 * Standard deviation of every forecast month as its quantiles tell it ({@link quantileSpread}). Orders that come by chance have
 * quantiles that are mostly zero; they vary at least as much as a Poisson count (variance >= mean).
 *
 * @param months of the forecast itself or of its backtest
 * @returns one number per month, >= 0 as quantiles rise with their levels
 */
export function monthlySpread(months: ForecastMonths, forecast: DemandForecast): Float64Array {
  const { mean, quantiles } = months;
  const z = forecast.levels.map(normalQuantile);
  const spread = new Float64Array(mean.length);
  for (let month = 0; month < spread.length; month++) {
    const fromQuantiles = quantileSpread(quantiles, month * z.length, z);
    spread[month] = comesByChance(months, forecast, month)
      ? Math.max(fromQuantiles, Math.sqrt(mean[month]!))
      : fromQuantiles;
  }
  return spread;
}

/**
 * Whether the demand of a month is a number of pieces, packs or orders that come by chance: that of infrequent demand, but for orders of
 * mean size of which even the lowest quantile is some, as of goods in their season. Pieces are small beside those.
 */
export function comesByChance({ quantiles }: ForecastMonths, forecast: DemandForecast, month: number): boolean {
  return isInfrequent(forecast) && (forecast.wholeUnits || !(quantiles[month * forecast.levels.length]! > 0));
}
