import { SEASON, type QuantileForecast } from '../types.js';
import { interpolateMissing, lastObserved, observedRange } from '../missing.js';
import { additiveIndices, multiplicativeIndices } from './decomposition/classical.js';
import { fitEts } from './ets/fit.js';
import { withoutSeason, type EtsFit, type EtsForm, type SeasonStart } from './ets/form.js';
import { forecastFits } from './ets/forecast-fits.js';
import { constantForecast, type Forecaster } from './forecaster.js';

/** Months from which 12 seasonal states can be separated from level and trend. */
const MIN_SEASONAL = 2 * SEASON + 3;
/** Multiplicative indices at or below this are too close to zero to divide by. */
const MIN_INDEX = 0.02;
const ERRORS = ['additive', 'multiplicative'] as const;
const TRENDS = ['none', 'additive', 'damped'] as const;
const SEASONS = ['none', 'additive', 'multiplicative'] as const;

/**
 * Automatic exponential smoothing: every admissible form is fitted by maximum likelihood and the smallest AICc forecasts
 * (Hyndman, Koehler, Snyder & Grose, International Journal of Forecasting 18, 2002). Multiplicative errors and seasons
 * need a positive series; additive errors with multiplicative season are left out for their unstable likelihood. Initial
 * seasonal states come from classical decomposition and are not optimized. Quantiles are simulated.
 */
export const autoEts: Forecaster = {
  minObservations: 5,
  forecast: (values, horizon, seed) => forecastSelected(values, horizon, seed, SEASONS),
};

/** The same selection among the forms without season, for series that have been adjusted. */
export const autoEtsNonSeasonal: Forecaster = {
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
  return best ? forecastFits([best], [1], horizon, seed) : constantForecast(lastObserved(values), horizon);
}

function selectForm(values: Float64Array, seasons: readonly EtsForm['season'][]): EtsFit | null {
  const positive = observedRange(values).smallest > 0;
  let best: EtsFit | null = null;
  for (const season of seasons) {
    const start = seasonStart(values, season, positive);
    if (!start) continue;
    for (const form of admissibleForms(season, positive)) {
      const fit = fitEts(values, form, start);
      if (fit && (!best || fit.aicc < best.aicc)) best = fit;
    }
  }
  return best;
}

function admissibleForms(season: EtsForm['season'], positive: boolean): EtsForm[] {
  const errors = ERRORS.filter((error) => isAdmissible(error, season, positive));
  return errors.flatMap((error) => TRENDS.map((trend) => ({ error, trend, season })));
}

function isAdmissible(error: EtsForm['error'], season: EtsForm['season'], positive: boolean): boolean {
  if (error === 'multiplicative') return positive;
  return season !== 'multiplicative';
}

function seasonStart(values: Float64Array, season: EtsForm['season'], positive: boolean): SeasonStart | null {
  if (season === 'none') return withoutSeason(values);
  if (values.length < MIN_SEASONAL) return null;
  const filled = interpolateMissing(values);
  if (season === 'additive') {
    const indices = additiveIndices(filled);
    return { adjusted: filled.map((value, t) => value - indices[t % SEASON]!), seasonal: indices };
  }
  const indices = positive ? multiplicativeIndices(filled, MIN_INDEX) : null;
  return indices && { adjusted: filled.map((value, t) => value / indices[t % SEASON]!), seasonal: indices };
}
