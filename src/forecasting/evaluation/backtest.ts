import { NEW_BELOW } from '../routing/classify.js';
import { cutEnd } from '../history.js';
import { seasonalNaivePoints } from '../methods/seasonal-naive.js';
import { countObserved } from '../missing.js';
import { naiveScale } from './naive-scale.js';
import { windowMonths } from '../settings.js';
import type { BacktestWindow, DemandHistory, EngineSettings, QuantileForecast } from '../types.js';

/** Forecasts `steps` months after a history as it was known at backtest origin 1, 2, ... (origin 0 is the present). */
export type OriginForecaster = (known: DemandHistory, origin: number, steps: number) => QuantileForecast | null;

/**
 * Rolling-origin evaluation (Tashman, International Journal of Forecasting 16, 2000): windows of at most a year, next to
 * each other, the latest ending with the history. Origins with under 4 observed months, or without any observation in the
 * window, are left out. Oldest first. `history` starts with an observation.
 */
export function backtest(
  history: DemandHistory,
  settings: EngineSettings,
  forecastAt: OriginForecaster,
): BacktestWindow[] {
  const steps = windowMonths(settings);
  const windows: BacktestWindow[] = [];
  for (let origin = settings.backtestWindows; origin >= 1; origin--) {
    const known = cutEnd(history, origin * steps);
    const from = known.values.length;
    if (countObserved(known.values) < NEW_BELOW) continue;
    const actual = history.values.slice(from, from + steps);
    if (countObserved(actual) === 0) continue;
    const forecast = forecastAt(known, origin, steps);
    if (!forecast) continue;
    const scale = naiveScale(known.values);
    windows.push({
      firstMonth: history.startMonth + from,
      actual,
      mean: forecast.mean,
      quantiles: forecast.quantiles,
      maseScale: scale.absolute,
      rmsseScale: scale.squared,
      naive: seasonalNaivePoints(known.values, steps),
    });
  }
  return windows;
}
