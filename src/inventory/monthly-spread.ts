import { normalQuantile } from '../numeric/normal.js';
import { type DemandForecast, isInfrequent } from './types.js';

/**
 * Standard deviation of every forecast month as its quantiles tell it: the least-squares slope of the quantiles on the
 * standard normal quantiles of their levels, sum(z q) / sum(z z), an L-estimator that no single level decides. Demand in whole
 * pieces of a low mean has quantiles that are mostly zero; it is at least as variable as a Poisson count (variance >= mean).
 *
 * @param months of the forecast itself or of its backtest
 * @returns one number per month, >= 0 as quantiles rise with their levels
 */
export function monthlySpread(
  { mean, quantiles }: Pick<DemandForecast, 'mean' | 'quantiles'>,
  { levels, wholeUnits, demandPattern }: DemandForecast,
): Float64Array {
  const countLike = wholeUnits && isInfrequent(demandPattern);
  const z = levels.map(normalQuantile);
  const square = z.reduce((sum, value) => sum + value * value, 0);
  const spread = new Float64Array(mean.length);
  for (let month = 0; month < spread.length; month++) {
    const first = month * z.length;
    // From the lowest one on: equal quantiles would leave a rounding error, and their spread is none at all.
    let slope = 0;
    for (let j = 1; j < z.length; j++) slope += z[j]! * (quantiles[first + j]! - quantiles[first]!);
    const fromQuantiles = slope / square;
    spread[month] = countLike ? Math.max(fromQuantiles, Math.sqrt(mean[month]!)) : fromQuantiles;
  }
  return spread;
}
