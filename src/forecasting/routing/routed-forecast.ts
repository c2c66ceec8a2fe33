import { borrowedShape } from './category-shape.js';
import { classifyDemand, NEW_BELOW, SHORT_BELOW, type DemandProfile } from './classify.js';
import { averageForecasts } from '../combination/average.js';
import { applyCalibration } from '../combination/calibration.js';
import { boundMean } from '../quantiles/mean-bounds.js';
import { mixForecasts } from '../quantiles/mixture.js';
import { forecastMembers } from '../combination/members.js';
import { steadyGrowth } from '../combination/steady-growth.js';
import { LEARNING_FROM, weightsFor } from '../combination/weights.js';
import { forecastIntermittent } from '../intermittent/forecast-intermittent.js';
import type { OriginPool } from '../pooled-model.js';
import { chanceOfInfrequency, type InfrequencyPrior } from './infrequency.js';
import { sinceFirstDemand } from './restart.js';
import { forecastFromShape } from './new-item.js';
import { forecastCycle, orderCycle } from './order-cycle.js';
import { gatheredInSeason, sellingSeason } from './selling-season.js';
import { forecastWithShape } from './short-history.js';
import { type DemandHistory, type QuantileForecast, type RouteName, SEASON } from '../types.js';

/**
 * Factors on the deviations from the median for up to 24 observed months, where the average of the members is too narrow.
 *
 * Under 8 months: the network has seen no history of less than a year, and q10 to q90 covers 44 to 83 % on training origins of
 * eleven sets cut to 4 to 7 months; scores in docs/engine.md. From 8 to 12 months any factor loses. It is for the forecast of the
 * history as it is: with a borrowed season there is less to be unsure of (Australian retail 76 to 78 % without any).
 *
 * From 13: chosen on training origins of m3 and hospital, histories cut to 13, 18 and 24 months: with 1.07, q10 to q90 covers 79 and
 * 81 %, against 76.7 and 78.9, and the quantile loss rises by .1 %. At 13 months 1.12 comes closer to 80 % than 1.07 over 12
 * origins, at 18 it does not, at 24 both are alike. From 25 months on the calibration is enough.
 */
const SHORT_SPREADS = [
  { below: 5, spread: 1.25 },
  { below: 6, spread: 1.15 },
  { below: 8, spread: 1.08 },
  { below: SHORT_BELOW, spread: 1 },
  { below: 16, spread: 1.12 },
  { below: 25, spread: 1.07 },
] as const;

/**
 * Share that the count model has in the forecast of young demand of small whole numbers that is frequent. Chosen on training origins
 * of nine sets in which every third series had its last 1 to 11 months alone (docs/engine.md); .5 and .75 are as good.
 */
const YOUNG_COUNTS = 0.6;
/** A share that is not worth a forecast of its own. */
const NEGLIGIBLE_SHARE = 0.05;

interface RoutedForecast {
  readonly forecast: QuantileForecast;
  /** Route that the history took. */
  readonly model: RouteName;
}

/**
 * The default forecast of one history: routed by length and pattern to a borrowed shape, the combination gathered into the
 * months in which an item sells, orders in their cycle, the intermittent model, the network, or the combination with weights by
 * length; under a year a mixture of two of these. At least one month is observed.
 */
export function routedForecast(
  history: DemandHistory,
  profile: DemandProfile,
  pool: OriginPool,
  horizon: number,
  seed: number,
): RoutedForecast {
  const { values } = history;
  const season = profile.infrequent ? sellingSeason(values) : undefined;
  if (season) {
    const { forecast } = combinedForecast(history, profile, pool, Math.max(horizon, SEASON), seed);
    return { forecast: gatheredInSeason(forecast, values, season, horizon), model: 'in_season' };
  }
  const cycle = profile.infrequent ? orderCycle(values) : undefined;
  if (cycle) return { forecast: forecastCycle(values, cycle, horizon, seed), model: 'order_cycle' };
  if (profile.observed < SHORT_BELOW) return youngForecast(history, profile, pool, horizon, seed);
  const share = profile.countShare;
  if (share === 0) return combinedForecast(history, profile, pool, horizon, seed);
  const counts = forecastIntermittent(history, pool.intermittent, horizon);
  if (share === 1) return { forecast: counts, model: 'intermittent' };
  const { forecast, model } = combinedForecast(history, profile, pool, horizon, seed);
  return { forecast: averageForecasts([counts, forecast], [share, 1 - share]), model };
}

/**
 * Under a year of demand does not show whether it is frequent: the forecast is a mixture of what the count model says and of what
 * serves frequent demand, by how likely either is.
 */
function youngForecast(
  history: DemandHistory,
  profile: DemandProfile,
  pool: OriginPool,
  horizon: number,
  seed: number,
): RoutedForecast {
  const share = countedShare(history, profile, pool.infrequency);
  const counted = (): RoutedForecast => ({
    forecast: forecastIntermittent(history, pool.intermittent, horizon),
    model: 'intermittent',
  });
  if (share > 1 - NEGLIGIBLE_SHARE) return counted();
  // months before the first sale are none of frequent demand; of a few pieces they may be chance
  const sold = profile.smallShare > 0 ? history : sinceFirstDemand(history);
  const known = classifyDemand(sold.values);
  const regular =
    known.observed < NEW_BELOW
      ? newItemForecast(sold, pool, horizon)
      : combinedForecast(sold, known, pool, horizon, seed);
  if (share < NEGLIGIBLE_SHARE) return regular;
  const counts = counted();
  return {
    forecast: mixForecasts(counts.forecast, regular.forecast, share),
    model: share > 0.5 ? counts.model : regular.model,
  };
}

/** Probability that the count model is right about a young series. One that never sold is forecast as such series fared. */
function countedShare(
  history: DemandHistory,
  { observed, smallShare, countShare }: DemandProfile,
  prior: InfrequencyPrior | undefined,
): number {
  if (!history.values.some((value) => value > 0)) return 1;
  if (!prior) return observed >= NEW_BELOW && countShare > 0 ? 1 : 0; // as the releases before 0.14.0 that stored such a pool
  const infrequent = chanceOfInfrequency(history, prior);
  return smallShare > 0 ? infrequent + (1 - infrequent) * YOUNG_COUNTS : infrequent;
}

function newItemForecast(history: DemandHistory, pool: OriginPool, horizon: number): RoutedForecast {
  const shape = borrowedShape(pool.shapes, history.category);
  return {
    forecast: forecastFromShape(history, shape, pool.shapes.ratios, horizon),
    model: shape.series > 0 ? 'category_shape' : 'recent_mean',
  };
}

function combinedForecast(
  history: DemandHistory,
  profile: DemandProfile,
  pool: OriginPool,
  horizon: number,
  seed: number,
): RoutedForecast {
  const weights = weightsFor(profile.observed, pool.gains, steadyGrowth(history.values));
  const combine = (values: Float64Array): QuantileForecast => {
    const input = { values, startMonth: history.startMonth, prior: pool.calendar, horizon, seed };
    return averageForecasts(forecastMembers(input, weights), weights);
  };
  const spread = SHORT_SPREADS.find(({ below }) => profile.observed < below)?.spread ?? 1;
  const combined =
    profile.observed < SHORT_BELOW
      ? forecastWithShape(history, borrowedShape(pool.shapes, history.category), combine, spread)
      : combine(history.values);
  if (profile.observed >= SHORT_BELOW) applyCalibration(combined, [spread, spread, spread], horizon);
  if (profile.observed >= LEARNING_FROM) {
    applyCalibration(combined, pool.calibration, pool.calibrationMonths);
  }
  boundMean(combined);
  return { forecast: combined, model: profile.observed < SHORT_BELOW ? 'network' : 'combination' };
}
