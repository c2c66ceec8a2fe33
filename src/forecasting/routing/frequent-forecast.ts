import { priorWithoutShared, sharedEffects } from '../calendar-regression/shared-effects.js';
import { averageForecasts } from '../combination/average.js';
import { applyCalibration } from '../combination/calibration.js';
import { forecastMembers } from '../combination/members.js';
import { steadyGrowth } from '../combination/steady-growth.js';
import { LEARNING_FROM, weightsFor } from '../combination/weights.js';
import type { OriginPool } from '../pooled-model.js';
import { boundMean } from '../quantiles/mean-bounds.js';
import { type DemandHistory, type QuantileForecast, SEASON } from '../types.js';
import { borrowSeason, type BorrowedSeason } from './short-histories/borrowed-season.js';
import { SHORT_BELOW, type DemandProfile } from './classify.js';
import { forecastNewItem } from './short-histories/new-item.js';
import type { ForecastTask, RoutedForecast } from './route.js';
import { borrowedShape } from './short-histories/seasonal-shapes.js';
import { shortForecaster, spreadFactor } from './short-histories/short-history.js';
import { levelWeightFor, ratiosFor, shortCalibration } from './short-histories/short-spreads.js';

/** Forecast of frequent demand from one to three observed months. */
export function newItemForecast(
  history: DemandHistory,
  { observed }: DemandProfile,
  { pool, horizon }: ForecastTask,
): RoutedForecast {
  const shared = sharedEffects(history, pool.calendar);
  const adjusted = { ...history, values: shared.without(history.values) };
  const season = seasonFor(adjusted, pool);
  const forecast = forecastNewItem(adjusted, season, ratiosFor(pool.shortSpreads, observed), horizon);
  return { forecast: shared.restore(forecast), model: season ? 'category_shape' : 'recent_mean' };
}

/** Forecast of frequent demand from four observed months or more: members of which those that the history is too short for have no weight. */
export function combinedForecast(
  history: DemandHistory,
  { observed }: DemandProfile,
  task: ForecastTask,
): RoutedForecast {
  const forecast =
    observed < LEARNING_FROM ? shortForecast(history, observed, task) : longForecast(history, observed, task);
  boundMean(forecast);
  return { forecast, model: observed < SHORT_BELOW ? 'network' : 'combination' };
}

/** Effects of working days and holidays cannot be estimated from a short history: those that the workspace's series share are removed first, and put back. */
function shortForecast(
  history: DemandHistory,
  observed: number,
  { pool, horizon, seed }: ForecastTask,
): QuantileForecast {
  const shared = sharedEffects(history, pool.calendar);
  const adjusted = { ...history, values: shared.without(history.values) };
  const prior = priorWithoutShared(pool.calendar);
  const forecastBy = shortForecaster(adjusted, seasonFor(adjusted, pool), { prior, horizon, seed });
  const forecast = forecastBy(levelWeightFor(pool.shortSpreads, observed));
  const calibration = shortCalibration(pool.shortSpreads, observed);
  if (calibration) applyCalibration(forecast, calibration, SEASON);
  return shared.restore(forecast);
}

function seasonFor(history: DemandHistory, { shapes }: OriginPool): BorrowedSeason | null {
  return borrowSeason(borrowedShape(shapes, history.category), history);
}

function longForecast(
  history: DemandHistory,
  observed: number,
  { pool, horizon, seed }: ForecastTask,
): QuantileForecast {
  const { values, startMonth } = history;
  const weights = weightsFor(observed, pool.gains, steadyGrowth(values));
  const { calendar: prior, autoregression } = pool;
  const members = forecastMembers({ values, startMonth, prior, autoregression, horizon, seed }, weights);
  const forecast = averageForecasts(members, weights);
  const factor = spreadFactor(observed);
  applyCalibration(forecast, [factor, factor, factor], horizon);
  applyCalibration(forecast, pool.calibration, pool.calibrationMonths);
  return forecast;
}
