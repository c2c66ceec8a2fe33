import { isInWholeUnits } from '../numeric/whole-units.js';
import type { DemandForecast } from './types.js';

/** A forecast as an engine tells it. Structurally the one of `forecasting`. */
export interface EngineForecast extends Pick<DemandForecast, 'mean' | 'quantiles' | 'backtest'> {
  readonly pattern: string;
}

/**
 * What stock needs of a forecast.
 * @param levels probability levels of its quantiles, ascending and symmetric about one half
 * @param history the monthly demand that it was made from, NaN where missing
 */
export function demandForecast(
  { mean, quantiles, backtest, pattern }: EngineForecast,
  levels: readonly number[],
  history: Float64Array,
): DemandForecast {
  return { mean, quantiles, levels, backtest, demandPattern: pattern, wholeUnits: isInWholeUnits(history) };
}
