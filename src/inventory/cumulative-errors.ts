import { monthlySpread } from './monthly-spread.js';
import type { BacktestErrors, DemandForecast } from './types.js';

/** One error of the sum of `months` forecast months. */
export interface CumulativeError {
  /** Distance of the observed from the forecast total. */
  readonly size: number;
  /** Forecast total of the same months. */
  readonly forecast: number;
  /** Sum of the monthly spreads of the same months: the sigma of the total if the months' errors were perfectly correlated. */
  readonly spread: number;
  /** False for the first block of a window, which starts at the origin as a lead time does; true for later ones. */
  readonly later: boolean;
}

/**
 * Empirical forecast errors of one series, by whole months of lead time: each backtest window is cut into consecutive blocks of
 * that length, and the errors within a block are added before anything is squared, so that their correlation is in the figure
 * (Saoud, Kourentzes & Boylan, Omega 110, 2022). Blocks with a missing month are left out.
 */
export function cumulativeErrors(forecast: DemandForecast): (months: number) => CumulativeError[] {
  const windows = forecast.backtest.map((window) => ({ window, spread: monthlySpread(window, forecast) }));
  return (months) => windows.flatMap(({ window, spread }) => windowErrors(window, spread, months));
}

function windowErrors(window: BacktestErrors, spread: Float64Array, months: number): CumulativeError[] {
  const errors: CumulativeError[] = [];
  for (let start = 0; start + months <= window.actual.length; start += months) {
    let error = 0;
    let total = 0;
    let spreads = 0;
    for (let t = start; t < start + months; t++) {
      error += window.actual[t]! - window.mean[t]!;
      total += window.mean[t]!;
      spreads += spread[t]!;
    }
    if (Number.isFinite(error))
      errors.push({ size: Math.abs(error), forecast: total, spread: spreads, later: start > 0 });
  }
  return errors;
}
