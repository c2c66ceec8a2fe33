import { LEVELS, MEDIAN, type QuantileForecast, SEASON } from '../types.js';
import { OUTPUT_MONTHS } from './shape.js';

/**
 * Continues a forecast of {@link OUTPUT_MONTHS} months up to `horizon` along the medians of `path`, which begins after it. The
 * spread of `path` would ignore what is uncertain about the months that it was made from, so the spread around the median is that of
 * the same calendar month a year earlier, its square growing by as much a year as it did from the first to the second forecast year
 * (the error variance of a local level grows linearly), never shrinking.
 * @param values the history, which sets whether quantiles may be below 0
 */
export function continueForecast(
  forecast: QuantileForecast,
  path: QuantileForecast,
  horizon: number,
  values: Float64Array,
): QuantileForecast {
  const floor = values.some((x) => x < 0) ? -Infinity : 0;
  const quantiles = new Float64Array(horizon * LEVELS);
  const mean = new Float64Array(horizon);
  quantiles.set(forecast.quantiles);
  mean.set(forecast.mean);
  const widen = yearlyWidening(forecast.quantiles);
  for (let k = OUTPUT_MONTHS; k < horizon; k++) {
    const median = path.quantiles[(k - OUTPUT_MONTHS) * LEVELS + MEDIAN]!;
    const earlier = (k - SEASON) * LEVELS;
    // Squared spread one more year on, relative to the year before: (1 + years g) / (1 + (years - 1) g).
    const years = Math.floor((k - OUTPUT_MONTHS) / SEASON) + 1;
    const factor = Math.sqrt((1 + years * widen) / (1 + (years - 1) * widen));
    let sum = 0;
    for (let j = 0; j < LEVELS; j++) {
      const deviation = quantiles[earlier + j]! - quantiles[earlier + MEDIAN]!;
      const x = Math.max(floor, median + factor * deviation);
      quantiles[k * LEVELS + j] = x;
      sum += x;
    }
    mean[k] = sum / LEVELS;
  }
  return { mean, quantiles };
}

/** Growth of the squared 10-90 range from the first forecast year to the second, relative to the second; 0 or more. */
function yearlyWidening(quantiles: Float64Array): number {
  let first = 0;
  let second = 0;
  for (let k = 0; k < OUTPUT_MONTHS; k++) {
    const range = quantiles[k * LEVELS + LEVELS - 1]! - quantiles[k * LEVELS]!;
    if (k < SEASON) first += range * range;
    else second += range * range;
  }
  return second > first ? (second - first) / second : 0;
}
