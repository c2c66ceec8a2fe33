import { meanAbsolute } from '../missing.js';
import { SEASON } from '../types.js';

/** Errors below this share of the mean month are those of rounding: forecasts are kept to seven digits. */
const ROUNDING = 1e-6;

/** In-sample errors of the seasonal naive, the units in which scaled errors are measured. */
export interface NaiveScale {
  /** Mean absolute error: the MASE denominator (Hyndman & Koehler, International Journal of Forecasting 22, 2006). NaN when it cannot be formed. */
  readonly absolute: number;
  /** Root mean squared error: the RMSSE denominator. NaN when it cannot be formed. */
  readonly squared: number;
}

/** Errors of "same month last year" over the months where both are observed; NaN when there is none, or no more than rounding. */
export function naiveScale(values: Float64Array): NaiveScale {
  let absolute = 0;
  let squared = 0;
  let count = 0;
  for (let t = SEASON; t < values.length; t++) {
    const error = values[t]! - values[t - SEASON]!;
    if (Number.isNaN(error)) continue;
    absolute += Math.abs(error);
    squared += error * error;
    count++;
  }
  return absolute > ROUNDING * count * meanAbsolute(values)
    ? { absolute: absolute / count, squared: Math.sqrt(squared / count) }
    : { absolute: NaN, squared: NaN };
}

/**
 * Least unit of a series' errors in what is learned, as a share of its mean month: one that is next to the same each year would
 * decide the weights of all. Of the bundled sets one series lies below.
 */
const MIN_SCALE = 0.01;

/** Unit of a series' errors in what is learned from many: that of {@link naiveScale}, but a share of the mean month at least. NaN when it cannot be formed. */
export function errorScale(values: Float64Array): number {
  return Math.max(naiveScale(values).absolute, MIN_SCALE * meanAbsolute(values));
}
