import { seasonalNaivePoints } from '../methods/seasonal-naive.js';
import { demandWithoutReturns } from '../history.js';
import { countObserved } from '../missing.js';
import { LEVELS, type BacktestWindow, type SeriesForecast } from '../types.js';
import { naiveScale } from './naive-scale.js';

/**
 * A forecast beside the demand that came, in the form of a backtest window, so that {@link seriesAccuracy} measures both alike:
 * months of more returns than demand are without demand, as they are for the engine.
 * @param known demand a month that the forecast was made from, NaN where missing; at least one month is observed
 * @param actual demand a month from the forecast's first month on, NaN where missing; months beyond its horizon are left out
 * @returns undefined where no month of it has been observed
 */
export function outcomeWindow(
  { firstMonth, mean, quantiles }: Pick<SeriesForecast, 'firstMonth' | 'mean' | 'quantiles'>,
  known: Float64Array,
  actual: Float64Array,
): BacktestWindow | undefined {
  const came = demandWithoutReturns(actual.subarray(0, mean.length));
  if (countObserved(came) === 0) return undefined;
  const steps = came.length;
  const history = demandWithoutReturns(known);
  const scale = naiveScale(history);
  return {
    firstMonth,
    actual: came,
    mean: mean.subarray(0, steps),
    quantiles: quantiles.subarray(0, steps * LEVELS),
    naive: seasonalNaivePoints(history, steps),
    maseScale: scale.absolute,
    rmsseScale: scale.squared,
  };
}
