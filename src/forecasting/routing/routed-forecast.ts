import { averageForecasts } from '../combination/average.js';
import { forecastIntermittent } from '../intermittent/forecast-intermittent.js';
import { type DemandHistory, SEASON } from '../types.js';
import { SHORT_BELOW, type DemandProfile } from './classify.js';
import { combinedForecast } from './frequent-forecast.js';
import { forecastCycle, orderCycle } from './order-cycle.js';
import { findRestart } from './restart.js';
import type { ForecastTask, RoutedForecast } from './route.js';
import { gatheredInSeason, sellingSeason } from './selling-season.js';
import { startedForecast, youngForecast } from './young-forecast.js';

/**
 * The default forecast of one history: routed by length and pattern to a borrowed shape, the combination gathered into the
 * months in which an item sells, orders in their cycle, the intermittent model, the network, or the combination with weights by
 * length; under a year a mixture of two of these. At least one month is observed.
 */
export function routedForecast(history: DemandHistory, profile: DemandProfile, task: ForecastTask): RoutedForecast {
  const { values } = history;
  const { pool, horizon, seed } = task;
  const season = profile.infrequent ? sellingSeason(values) : undefined;
  if (season) {
    const { forecast } = combinedForecast(history, profile, { ...task, horizon: Math.max(horizon, SEASON) });
    return { forecast: gatheredInSeason(forecast, values, season, horizon), model: 'in_season' };
  }
  const cycle = profile.infrequent ? orderCycle(values) : undefined;
  if (cycle) return { forecast: forecastCycle(values, cycle, horizon, seed), model: 'order_cycle' };
  if (profile.observed < SHORT_BELOW) return youngForecast(history, profile, task);
  const restart = findRestart(history);
  const started = restart?.isFresh ? startedForecast(history, restart.since, task) : undefined;
  if (started) return started;
  const share = profile.countShare;
  if (share === 0) return combinedForecast(history, profile, task);
  const counts = forecastIntermittent(history, pool.intermittent, horizon);
  if (share === 1) return { forecast: counts, model: 'intermittent' };
  const { forecast, model } = combinedForecast(history, profile, task);
  return { forecast: averageForecasts([counts, forecast], [share, 1 - share]), model };
}
