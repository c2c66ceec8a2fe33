import type { QuantileForecast } from '../../types.js';
import { gaussianTable, PATHS } from '../../quantiles/gaussian-table.js';
import { lastObserved, observedRange } from '../../missing.js';
import { writePathQuantiles } from '../../quantiles/path-quantiles.js';
import { constantForecast, emptyForecast, type Forecaster } from '../forecaster.js';
import { fitEts } from './fit.js';
import type { EtsFit, EtsForm } from './form.js';
import { addEtsMean, simulateEts } from './simulate.js';

/**
 * Softness of the weights exp(-(AICc - best) / SOFTNESS): 10 won over four origins of the m3 training part, where the best
 * single trend form changes from origin to origin.
 */
const SOFTNESS = 10;
/** Forms below this relative weight are dropped. */
const SMALLEST_WEIGHT = 0.05;
const TRENDS = ['none', 'additive', 'damped'] as const;

/**
 * Non-seasonal exponential smoothing averaged over its trends (none, additive, damped) by their information criterion; the
 * error is multiplicative, or additive where a value is not positive or relative errors exceed the demand itself. The mean is the
 * weighted mean of the forms; the simulated paths are divided among the forms by weight, so that the spread holds the doubt about
 * the trend. For series without season, such as the calendar-adjusted ones of the combination.
 */
export const averagedEts: Forecaster = {
  minObservations: 5,
  forecast: (values, horizon, seed) => mixForms(fitTrends(values), values, horizon, seed),
};

function fitTrends(values: Float64Array): EtsFit[] {
  const relative = observedRange(values).smallest > 0 ? fitEach(values, 'multiplicative') : [];
  const fits = relative.length > 0 ? relative : fitEach(values, 'additive');
  return fits.sort((a, b) => a.aicc - b.aicc);
}

function fitEach(values: Float64Array, error: EtsForm['error']): EtsFit[] {
  return TRENDS.map((trend) => fitEts(values, { error, trend, season: 'none' })).filter((fit) => fit !== null);
}

function mixForms(fits: readonly EtsFit[], values: Float64Array, horizon: number, seed: number): QuantileForecast {
  const best = fits[0];
  if (!best) return constantForecast(lastObserved(values), horizon);
  const weights = fits.map((fit) => Math.exp((best.aicc - fit.aicc) / SOFTNESS));
  const kept = weights.map((weight) => (weight < SMALLEST_WEIGHT ? 0 : weight));
  const total = kept.reduce((sum, weight) => sum + weight, 0);
  const forecast = emptyForecast(horizon);
  const paths = new Float64Array(horizon * PATHS);
  const table = gaussianTable(seed);
  let share = 0;
  let from = 0;
  for (const [i, fit] of fits.entries()) {
    const weight = kept[i]! / total;
    if (weight === 0) continue;
    share += weight;
    const to = Math.round((share * PATHS) / 2);
    addEtsMean(fit, weight, forecast.mean);
    simulateEts(fit, table, from, to, paths);
    from = to;
  }
  writePathQuantiles(paths, horizon, forecast.quantiles);
  return forecast;
}
