import { sinceFirstDemand } from '../history.js';
import { forecastIntermittent } from '../intermittent/forecast-intermittent.js';
import { mixForecasts } from '../quantiles/mixture.js';
import type { DemandHistory } from '../types.js';
import { classifyDemand, NEW_BELOW, type DemandProfile } from './classify.js';
import { combinedForecast, newItemForecast } from './frequent-forecast.js';
import { chanceOfInfrequency, type InfrequencyPrior } from './infrequency.js';
import type { ForecastTask, RoutedForecast } from './route.js';

/**
 * Share of the count model in the forecast of young demand in small whole numbers, if it is frequent. Chosen on training origins of
 * nine sets with every third series cut to its last 1 to 11 months (docs/engine-short-histories.md); .5 and .75 are as good.
 */
const YOUNG_COUNTS = 0.6;
/** A share that is not worth a forecast of its own. */
const NEGLIGIBLE_SHARE = 0.05;

/**
 * Under a year of demand does not show whether it is frequent: the forecast is a mixture of what the count model says and of what
 * serves frequent demand, by how likely either is.
 */
export function youngForecast(history: DemandHistory, profile: DemandProfile, task: ForecastTask): RoutedForecast {
  // months before the first sale are none of frequent demand; of a few pieces they may be chance
  const sold = profile.smallShare > 0 ? history : sinceFirstDemand(history);
  return mixedForecast(history, sold, countedShare(history, profile, task.pool.infrequency), task);
}

/**
 * The same for a month or two of demand after a year or more without any: a launch whose earlier months are filled with zeros, or a rare
 * order. Undefined with a pool that knows of no such starts, which releases up to 0.17.0 stored.
 */
export function startedForecast(
  history: DemandHistory,
  since: DemandHistory,
  task: ForecastTask,
): RoutedForecast | undefined {
  const { infrequency } = task.pool;
  if (infrequency?.started === undefined) return undefined;
  const chance = chanceOfInfrequency(since, infrequency, infrequency.started);
  return mixedForecast(history, since, withSmallCounts(chance, classifyDemand(since.values)), task);
}

/** Mixture of the count model's forecast of the history, with weight `share`, and the forecast for frequent demand from the months `sold`. */
function mixedForecast(history: DemandHistory, sold: DemandHistory, share: number, task: ForecastTask): RoutedForecast {
  const { pool, horizon } = task;
  const counted = (): RoutedForecast => ({
    forecast: forecastIntermittent(history, pool.intermittent, horizon),
    model: 'intermittent',
  });
  if (share > 1 - NEGLIGIBLE_SHARE) return counted();
  const known = classifyDemand(sold.values);
  const regular = known.observed < NEW_BELOW ? newItemForecast(sold, known, task) : combinedForecast(sold, known, task);
  if (share < NEGLIGIBLE_SHARE) return regular;
  const counts = counted();
  return {
    forecast: mixForecasts(counts.forecast, regular.forecast, share),
    model: share > 0.5 ? counts.model : regular.model,
  };
}

/** Weight of the count model for a young series: all of it for one that never sold, since only that model has learned what becomes of such series. */
function countedShare(history: DemandHistory, profile: DemandProfile, prior: InfrequencyPrior | undefined): number {
  const { observed, countShare } = profile;
  if (!history.values.some((value) => value > 0)) return 1;
  if (!prior) return observed >= NEW_BELOW && countShare > 0 ? 1 : 0; // as the releases before 0.14.0 that stored such a pool
  return withSmallCounts(chanceOfInfrequency(history, prior), profile);
}

function withSmallCounts(infrequent: number, { smallShare }: DemandProfile): number {
  return smallShare > 0 ? infrequent + (1 - infrequent) * YOUNG_COUNTS : infrequent;
}
