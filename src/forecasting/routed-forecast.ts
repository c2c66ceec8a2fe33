import { borrowedShape, forecastFromShape } from './category-shape.js';
import { NEW_BELOW, SHORT_BELOW, type DemandProfile } from './classify.js';
import { averageForecasts } from './combination/average.js';
import { applyCalibration } from './combination/calibration.js';
import { adjust, forecastMembers, onAdjusted, type MemberInput } from './combination/members.js';
import { networkViews } from './combination/network-views.js';
import { forecastIntermittent } from './intermittent/model.js';
import { ridgeFourier } from './methods/ridge-fourier.js';
import { constantForecast, runForecaster } from './methods/forecaster.js';
import { seasonalNaive } from './methods/seasonal-naive.js';
import { thetaNonSeasonal } from './methods/theta.js';
import { meanObserved } from './numeric/missing.js';
import type { OriginPool } from './pooled-model.js';
import { SEASON, type DemandHistory, type QuantileForecast } from './types.js';

/** Observed months from which the full combination forecasts (FINDINGS 17: better than the short route from 24 to 30 on). */
export const COMBINATION_FROM = 2 * SEASON;
/** Weights of network, ridge-Fourier, seasonal naive and theta on 13 to 23 months (FINDINGS 17, chosen at 13, 15, 18 months). */
const SHORT_WEIGHTS = [0.6, 0.2, 0.1, 0.1];

export interface RoutedForecast {
  readonly forecast: QuantileForecast;
  /** Name of the route, for people. */
  readonly model: string;
}

/**
 * The default forecast of one history: routed by length and pattern (FINDINGS A) to the intermittent model, a borrowed
 * shape, the network, the short combination or the full combination. At least one month is observed.
 */
export function routedForecast(
  history: DemandHistory,
  profile: DemandProfile,
  pool: OriginPool,
  horizon: number,
  seed: number,
): RoutedForecast {
  const { values, startMonth } = history;
  if (profile.observed < NEW_BELOW) {
    const shape = borrowedShape(pool.shapes, history.category);
    return {
      forecast: forecastFromShape(values, startMonth, shape, pool.shapes.ratios, horizon),
      model: shape.series > 0 ? 'category_shape' : 'recent_mean',
    };
  }
  if (profile.countLike) {
    return { forecast: forecastIntermittent(values, pool.intermittent, horizon), model: 'intermittent' };
  }
  const input: MemberInput = { values, startMonth, prior: pool.calendar, horizon, seed };
  if (profile.observed < SHORT_BELOW) return underOneYear(input);
  if (profile.observed < COMBINATION_FROM) return underTwoYears(input);
  const combined = averageForecasts(forecastMembers(input), pool.weights);
  if (!combined) return meanForecast(input);
  applyCalibration(combined, pool.calibration, pool.calibrationMonths);
  return { forecast: combined, model: 'combination' };
}

/** 4 to 12 months: the network alone (FINDINGS 24). */
function underOneYear(input: MemberInput): RoutedForecast {
  const forecast = networkViews(input.values, adjust(input), input.horizon);
  return forecast ? { forecast, model: 'network' } : meanForecast(input);
}

function underTwoYears(input: MemberInput): RoutedForecast {
  const adjustment = adjust(input);
  const combined = averageForecasts(
    [
      networkViews(input.values, adjustment, input.horizon),
      runForecaster(ridgeFourier, input.values, input.horizon, input.seed),
      runForecaster(seasonalNaive, input.values, input.horizon, input.seed),
      onAdjusted(thetaNonSeasonal, adjustment, input),
    ],
    SHORT_WEIGHTS,
  );
  return combined ? { forecast: combined, model: 'combination' } : meanForecast(input);
}

function meanForecast(input: MemberInput): RoutedForecast {
  return { forecast: constantForecast(meanObserved(input.values), input.horizon), model: 'recent_mean' };
}
