import { SEASON, type QuantileForecast } from '../types.js';
import { gaussianTable, PATHS } from '../numeric/gaussian-table.js';
import { countObserved, interpolateMissing, lastObserved, observedRange } from '../numeric/missing.js';
import { writePathQuantiles } from '../numeric/path-quantiles.js';
import { additiveIndices, multiplicativeIndices } from './decomposition/classical.js';
import { fitEts } from './ets/fit.js';
import type { EtsFit, EtsForm } from './ets/form.js';
import { addEtsMean, simulateEts } from './ets/simulate.js';
import { constantForecast, emptyForecast, type Forecaster } from './forecaster.js';

/** Months from which 12 seasonal states can be told from level and trend. */
const SMALLEST_SEASONAL = 2 * SEASON + 3;
const SMALLEST_INDEX = 0.02;
const ERRORS = ['additive', 'multiplicative'] as const;
const TRENDS = ['none', 'additive', 'damped'] as const;
const SEASONS = ['none', 'additive', 'multiplicative'] as const;

interface Start {
  readonly adjusted: Float64Array;
  readonly season: Float64Array;
}

/**
 * Automatic exponential smoothing: every admissible form is fitted by maximum likelihood and the smallest AICc forecasts
 * (Hyndman, Koehler, Snyder & Grose, International Journal of Forecasting 18, 2002). Multiplicative errors and seasons
 * need a positive series; additive errors with multiplicative season are left out for their unstable likelihood. Initial
 * seasonal states come from classical decomposition and are not optimised. Quantiles are simulated.
 */
export const autoEts: Forecaster = {
  name: 'auto_ets',
  minObservations: 5,
  forecast: (values, horizon, seed) => forecastSelected(values, horizon, seed, SEASONS),
};

/** The same selection among the forms without season, for series that have been adjusted. */
export const autoEtsNonSeasonal: Forecaster = {
  name: 'auto_ets_non_seasonal',
  minObservations: 5,
  forecast: (values, horizon, seed) => forecastSelected(values, horizon, seed, ['none']),
};

function forecastSelected(
  values: Float64Array,
  horizon: number,
  seed: number,
  seasons: readonly EtsForm['season'][],
): QuantileForecast {
  const best = selectForm(values, seasons);
  if (!best) return constantForecast(lastObserved(values), horizon);
  const forecast = emptyForecast(horizon);
  addEtsMean(best, values.length, 1, forecast.mean);
  const paths = new Float64Array(horizon * PATHS);
  simulateEts(best, values.length, horizon, gaussianTable(seed), 0, PATHS / 2, paths);
  writePathQuantiles(paths, horizon, forecast.quantiles);
  return forecast;
}

function selectForm(values: Float64Array, seasons: readonly EtsForm['season'][]): EtsFit | null {
  const observed = countObserved(values);
  const positive = observedRange(values).smallest > 0;
  let best: EtsFit | null = null;
  for (const season of seasons) {
    const start = initialSeason(values, season, positive);
    if (!start) continue;
    for (const error of ERRORS) {
      if (!isAdmissible(error, season, positive)) continue;
      for (const trend of TRENDS) {
        const fit = fitEts(values, observed, { error, trend, season }, start.adjusted, start.season);
        if (fit && (!best || fit.aicc < best.aicc)) best = fit;
      }
    }
  }
  return best;
}

function isAdmissible(error: EtsForm['error'], season: EtsForm['season'], positive: boolean): boolean {
  if (error === 'multiplicative') return positive;
  return season !== 'multiplicative';
}

function initialSeason(values: Float64Array, season: EtsForm['season'], positive: boolean): Start | null {
  if (season === 'none') return { adjusted: values, season: new Float64Array(0) };
  if (values.length < SMALLEST_SEASONAL) return null;
  const filled = interpolateMissing(values);
  if (season === 'additive') {
    const indices = additiveIndices(filled);
    return { adjusted: filled.map((value, t) => value - indices[t % SEASON]!), season: indices };
  }
  const indices = positive ? multiplicativeIndices(filled, SMALLEST_INDEX) : null;
  return indices && { adjusted: filled.map((value, t) => value / indices[t % SEASON]!), season: indices };
}
