import { SEASON, type QuantileForecast } from '../../types.js';
import { interpolateMissing, observedRange } from '../../missing.js';
import { rescaleMonth } from '../rescale.js';
import { additiveIndices, multiplicativeIndices } from './classical.js';
import { isSeasonal } from './seasonality-test.js';

/** Multiplicative indices at or below this are too close to zero to divide by. */
const MIN_INDEX = 0.01;

/** A series apart from its season. */
interface SeasonalAdjustment {
  /** The series without its season; gaps stay gaps. */
  readonly adjusted: Float64Array;
  /** Puts the season back into a forecast of the adjusted series, in place. */
  readonly restore: (forecast: QuantileForecast) => void;
}

/** Forecasts the series without its season by `forecast`, and puts the season back. */
export function forecastAdjusted(
  values: Float64Array,
  forecast: (adjusted: Float64Array) => QuantileForecast,
): QuantileForecast {
  const { adjusted, restore } = adjustSeason(values);
  const result = forecast(adjusted);
  restore(result);
  return result;
}

/**
 * Seasonal adjustment as the Theta method does it: classical indices if the lag 12 autocorrelation is significant,
 * multiplicative where the series is positive, else additive; otherwise the series itself.
 */
function adjustSeason(values: Float64Array): SeasonalAdjustment {
  const filled = interpolateMissing(values);
  if (!isSeasonal(filled)) return { adjusted: values, restore: () => undefined };
  const ratios = observedRange(values).smallest > 0 ? multiplicativeIndices(filled, MIN_INDEX) : null;
  const n = values.length;
  if (ratios) {
    return {
      adjusted: values.map((value, t) => value / ratios[t % SEASON]!),
      restore: (forecast) => forecast.mean.forEach((_, k) => rescaleMonth(forecast, k, ratios[(n + k) % SEASON]!, 0)),
    };
  }
  const differences = additiveIndices(filled);
  return {
    adjusted: values.map((value, t) => value - differences[t % SEASON]!),
    restore: (forecast) =>
      forecast.mean.forEach((_, k) => rescaleMonth(forecast, k, 1, differences[(n + k) % SEASON]!)),
  };
}
