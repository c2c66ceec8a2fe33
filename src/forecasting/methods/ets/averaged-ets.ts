import { sumOf } from '../../../numeric/sum.js';
import { lastObserved, observedRange } from '../../missing.js';
import { constantForecast, type Forecaster } from '../forecaster.js';
import { fitEts } from './fit.js';
import type { EtsFit, EtsForm } from './form.js';
import { forecastFits } from './forecast-fits.js';

/**
 * Softness of the weights exp(-(AICc - best) / SOFTNESS): 10 won over four origins of the m3 training part, where the best
 * single trend form changes from origin to origin.
 */
const SOFTNESS = 10;
/** Forms below this relative weight are dropped. */
const MIN_WEIGHT = 0.05;
const TRENDS = ['none', 'additive', 'damped'] as const;

/**
 * Non-seasonal exponential smoothing averaged over its trends (none, additive, damped) by their information criterion; the
 * error is multiplicative, or additive where a value is not positive or relative errors exceed the demand itself. For series without
 * season, such as the calendar-adjusted ones of the combination.
 */
export const averagedEts: Forecaster = {
  minObservations: 5,
  forecast(values, horizon, seed) {
    const fits = fitTrends(values);
    if (fits.length === 0) return constantForecast(lastObserved(values), horizon);
    return forecastFits(fits, weightsOf(fits), horizon, seed);
  },
};

function fitTrends(values: Float64Array): EtsFit[] {
  const relative = observedRange(values).smallest > 0 ? fitEach(values, 'multiplicative') : [];
  const fits = relative.length > 0 ? relative : fitEach(values, 'additive');
  return fits.sort((a, b) => a.aicc - b.aicc);
}

function fitEach(values: Float64Array, error: EtsForm['error']): EtsFit[] {
  return TRENDS.map((trend) => fitEts(values, { error, trend, season: 'none' })).filter((fit) => fit !== null);
}

/** Weights of fits, the best first. */
function weightsOf(fits: readonly EtsFit[]): number[] {
  const weights = fits.map((fit) => Math.exp((fits[0]!.aicc - fit.aicc) / SOFTNESS));
  const kept = weights.map((weight) => (weight < MIN_WEIGHT ? 0 : weight));
  const total = sumOf(kept);
  return kept.map((weight) => weight / total);
}
