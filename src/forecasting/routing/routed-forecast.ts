import { priorWithoutShared, sharedEffects } from '../calendar-regression/shared-effects.js';
import { borrowSeason, type BorrowedSeason } from './borrowed-season.js';
import { classifyDemand, NEW_BELOW, SHORT_BELOW, type DemandProfile } from './classify.js';
import { averageForecasts } from '../combination/average.js';
import { applyCalibration } from '../combination/calibration.js';
import { boundMean } from '../quantiles/mean-bounds.js';
import { mixForecasts } from '../quantiles/mixture.js';
import { forecastMembers } from '../combination/members.js';
import { steadyGrowth } from '../combination/steady-growth.js';
import { LEARNING_FROM, weightsFor } from '../combination/weights.js';
import { sinceFirstDemand } from '../history.js';
import { forecastIntermittent } from '../intermittent/forecast-intermittent.js';
import type { OriginPool } from '../pooled-model.js';
import { chanceOfInfrequency, chanceSinceStart, type InfrequencyPrior, type StartedPrior } from './infrequency.js';
import { findRestart } from './restart.js';
import { forecastNewItem } from './new-item.js';
import { forecastCycle, orderCycle } from './order-cycle.js';
import { borrowedShape } from './seasonal-shapes.js';
import { gatheredInSeason, sellingSeason } from './selling-season.js';
import { shortForecaster, spreadFactor } from './short-history.js';
import { levelWeightFor, ratiosFor, shortCalibration } from './short-spreads.js';
import { type DemandHistory, type QuantileForecast, type RouteName, SEASON } from '../types.js';

/**
 * Share of the count model in the forecast of young demand in small whole numbers, if it is frequent. Chosen on training origins of
 * nine sets with every third series cut to its last 1 to 11 months (docs/engine-short-histories.md); .5 and .75 are as good.
 */
const YOUNG_COUNTS = 0.6;
/** A share that is not worth a forecast of its own. */
const NEGLIGIBLE_SHARE = 0.05;

interface RoutedForecast {
  readonly forecast: QuantileForecast;
  /** Route that the history took. */
  readonly model: RouteName;
}

/** What the forecasts of all series at one origin share. */
export interface ForecastTask {
  readonly pool: OriginPool;
  /** In months. */
  readonly horizon: number;
  readonly seed: number;
}

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
  const started = pool.infrequency?.started;
  if (restart?.isFresh && started !== undefined) {
    return startedForecast(history, restart.since, { ...pool.infrequency!, started }, task);
  }
  const share = profile.countShare;
  if (share === 0) return combinedForecast(history, profile, task);
  const counts = forecastIntermittent(history, pool.intermittent, horizon);
  if (share === 1) return { forecast: counts, model: 'intermittent' };
  const { forecast, model } = combinedForecast(history, profile, task);
  return { forecast: averageForecasts([counts, forecast], [share, 1 - share]), model };
}

/**
 * Under a year of demand does not show whether it is frequent: the forecast is a mixture of what the count model says and of what
 * serves frequent demand, by how likely either is.
 */
function youngForecast(history: DemandHistory, profile: DemandProfile, task: ForecastTask): RoutedForecast {
  // months before the first sale are none of frequent demand; of a few pieces they may be chance
  const sold = profile.smallShare > 0 ? history : sinceFirstDemand(history);
  return mixedForecast(history, sold, countedShare(history, profile, task.pool.infrequency), task);
}

/** The same for a month or two of demand after a year or more without any: a launch whose earlier months are filled with zeros, or a rare order. */
function startedForecast(
  history: DemandHistory,
  since: DemandHistory,
  prior: StartedPrior,
  task: ForecastTask,
): RoutedForecast {
  return mixedForecast(
    history,
    since,
    withSmallCounts(chanceSinceStart(since, prior), classifyDemand(since.values)),
    task,
  );
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

/** Weight of the count model for a young series: all of it for one that never sold, since only that model has learnt what becomes of such series. */
function countedShare(history: DemandHistory, profile: DemandProfile, prior: InfrequencyPrior | undefined): number {
  const { observed, countShare } = profile;
  if (!history.values.some((value) => value > 0)) return 1;
  if (!prior) return observed >= NEW_BELOW && countShare > 0 ? 1 : 0; // as the releases before 0.14.0 that stored such a pool
  return withSmallCounts(chanceOfInfrequency(history, prior), profile);
}

function withSmallCounts(infrequent: number, { smallShare }: DemandProfile): number {
  return smallShare > 0 ? infrequent + (1 - infrequent) * YOUNG_COUNTS : infrequent;
}

function newItemForecast(
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

function combinedForecast(history: DemandHistory, { observed }: DemandProfile, task: ForecastTask): RoutedForecast {
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
