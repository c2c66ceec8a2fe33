import { MAX_HORIZON } from '../../settings.js';
import { type QuantileForecast, SEASON } from '../../types.js';
import { gaussianTable, PATHS } from '../../quantiles/gaussian-table.js';
import { writePathQuantiles } from '../../quantiles/path-quantiles.js';
import { emptyForecast } from '../forecaster.js';
import type { EtsFit } from './form.js';

/** A relative shock below this would make demand vanish or turn negative; shocks are cut there. */
const MIN_RELATIVE_SHOCK = -0.95;

/**
 * Forecast by one fit or several, with weights that sum to one. The mean is the weighted mean of the forms; the simulated paths are
 * divided among the forms by weight, so that the spread holds the doubt about the form.
 */
export function forecastFits(
  fits: readonly EtsFit[],
  weights: readonly number[],
  horizon: number,
  seed: number,
): QuantileForecast {
  const forecast = emptyForecast(horizon);
  const paths = new Float64Array(horizon * PATHS);
  const table = gaussianTable(seed);
  let share = 0;
  let from = 0;
  for (const [i, fit] of fits.entries()) {
    const weight = weights[i]!;
    if (weight === 0) continue;
    share += weight;
    const to = Math.round((share * PATHS) / 2);
    addMean(fit, weight, forecast.mean);
    simulate(fit, table, from, to, paths);
    from = to;
  }
  writePathQuantiles(paths, horizon, forecast.quantiles);
  return forecast;
}

/** Adds `weight` times the point forecasts of a fit to `mean`. */
function addMean(fit: EtsFit, weight: number, mean: Float64Array): void {
  let { level, slope } = fit;
  for (let k = 0; k < mean.length; k++) {
    slope *= fit.phi;
    level += slope;
    mean[k]! += weight * withSeason(fit, level, fit.months + k);
  }
}

function withSeason(fit: EtsFit, base: number, index: number): number {
  if (fit.form.season === 'none') return base;
  const season = fit.seasonal[index % SEASON]!;
  return fit.form.season === 'additive' ? base + season : base * season;
}

/**
 * Simulates paths `from` (inclusive) to `to` (exclusive) of the first half of the gaussian table together with their
 * antithetic partners, into `paths` (`PATHS` values a month of the horizon, month after month).
 */
function simulate(fit: EtsFit, table: Float64Array, from: number, to: number, paths: Float64Array): void {
  const horizon = paths.length / PATHS;
  const { alpha, beta, gamma, phi, sigma } = fit;
  const multiplicative = fit.form.error === 'multiplicative';
  const hasSeason = fit.form.season !== 'none';
  const multiplicativeSeason = fit.form.season === 'multiplicative';
  const seasonal = new Float64Array(SEASON);
  const half = PATHS / 2;
  for (let pair = 2 * from; pair < 2 * to; pair++) {
    const path = (pair >> 1) + (pair & 1) * half;
    let level = fit.level;
    let slope = fit.slope;
    if (hasSeason) seasonal.set(fit.seasonal);
    for (let k = 0; k < horizon; k++) {
      slope *= phi;
      const base = level + slope;
      const j = (fit.months + k) % SEASON;
      const season = hasSeason ? seasonal[j]! : 0;
      const forecast = multiplicativeSeason ? base * season : base + season;
      const shock = sigma * table[path * MAX_HORIZON + k]!;
      const error = multiplicative ? forecast * Math.max(shock, MIN_RELATIVE_SHOCK) : shock;
      paths[k * PATHS + path] = forecast + error;
      let correction = error;
      if (multiplicativeSeason) {
        correction = season === 0 ? 0 : error / season;
        if (base !== 0) seasonal[j] = season + (gamma * error) / base;
      } else if (hasSeason) {
        seasonal[j] = season + gamma * error;
      }
      level = base + alpha * correction;
      slope += beta * correction;
    }
  }
}
