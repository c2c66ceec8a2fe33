import { calendarMonth } from '../calendar.js';
import { averageForecasts } from '../combination/average.js';
import { applyCalibration } from '../combination/calibration.js';
import { rescaleMonth } from '../methods/rescale.js';
import { meanObserved } from '../missing.js';
import type { DemandHistory, QuantileForecast } from '../types.js';
import type { SeasonalShape } from './category-shape.js';

/** Change from one month to the next, as a share of the mean month, that means nothing. */
const SMALLEST_CHANGE = 0.02;

/**
 * Forecast of a history of less than a year: `forecast` of the history as it is, averaged with that of the history without the
 * borrowed season, which is put back. The second counts with the probability that the history has this season: as far as the series
 * that it comes from agree on it, times what the history's own months say. Of these alone, less than a year, no method can tell
 * season from trend. `spread` is a factor on the deviations of the first from its median.
 */
export function forecastWithShape(
  { values, startMonth }: DemandHistory,
  shape: SeasonalShape,
  forecast: (values: Float64Array) => QuantileForecast,
  spread = 1,
): QuantileForecast {
  const asItIs = forecast(values);
  applyCalibration(asItIs, [spread, spread, spread], asItIs.mean.length);
  if (!shape.agreement) return asItIs;
  const factorOf = (t: number): number => shape.factors[calendarMonth(startMonth + t)]!;
  const deseasonalised = values.map((value, t) => value / factorOf(t));
  const probability = probabilityOf(shape.agreement, roughness(deseasonalised), roughness(values));
  const adjusted = forecast(deseasonalised);
  for (let k = 0; k < adjusted.mean.length; k++) rescaleMonth(adjusted, k, factorOf(values.length + k), 0);
  return averageForecasts([asItIs, adjusted], [1 - probability, probability]);
}

/** Changes from month to month, in units of the mean month. */
interface Roughness {
  readonly squares: number;
  readonly changes: number;
}

function roughness(values: Float64Array): Roughness {
  const mean = meanObserved(values);
  let [squares, changes] = [0, 0];
  for (let t = 1; t < values.length; t++) {
    const change = (values[t]! - values[t - 1]!) / mean;
    if (Number.isNaN(change)) continue;
    squares += change ** 2;
    changes++;
  }
  return { squares, changes };
}

/**
 * Posterior probability of the season: the changes from month to month are normal of an unknown variance, of the deseasonalised
 * history if it has the season, else of the history as it is (Bayesian model averaging: Hoeting et al. 1999).
 */
function probabilityOf(prior: number, deseasonalised: Roughness, asItIs: Roughness): number {
  const least = SMALLEST_CHANGE ** 2 * asItIs.changes;
  const ratio = (deseasonalised.squares + least) / (asItIs.squares + least);
  const odds = (prior / (1 - prior)) * ratio ** (-asItIs.changes / 2);
  return odds / (1 + odds);
}
