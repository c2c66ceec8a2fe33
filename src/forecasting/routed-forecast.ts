import { borrowedShape, forecastFromShape } from './category-shape.js';
import { NEW_BELOW, SHORT_BELOW, type DemandProfile } from './classify.js';
import { averageForecasts } from './combination/average.js';
import { applyCalibration } from './combination/calibration.js';
import { forecastMembers } from './combination/members.js';
import { LEARNING_FROM, weightsFor } from './combination/weights.js';
import { forecastIntermittent } from './intermittent/model.js';
import { constantForecast } from './methods/forecaster.js';
import { meanObserved } from './numeric/missing.js';
import type { OriginPool } from './pooled-model.js';
import type { DemandHistory, QuantileForecast } from './types.js';

export interface RoutedForecast {
  readonly forecast: QuantileForecast;
  /** Name of the route, for people. */
  readonly model: string;
}

/**
 * The default forecast of one history: routed by length and pattern to the intermittent model, a borrowed
 * shape, the network alone, or the combination with weights by length. At least one month is observed.
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
  const weights = weightsFor(profile.observed, pool.gains);
  const members = forecastMembers({ values, startMonth, prior: pool.calendar, horizon, seed }, weights);
  const combined = averageForecasts(members, weights);
  if (!combined) return { forecast: constantForecast(meanObserved(values), horizon), model: 'recent_mean' };
  if (profile.observed >= LEARNING_FROM) {
    applyCalibration(combined, pool.calibration, pool.calibrationMonths);
  }
  return { forecast: combined, model: profile.observed < SHORT_BELOW ? 'network' : 'combination' };
}
