import { sumOf } from '../../../numeric/sum.js';
import { SEASON } from '../../types.js';

const HALF = SEASON / 2;

/**
 * Seasonal indices of classical decomposition by a centered 2 x 12 moving average, by position in the cycle (`t mod 12`), that
 * sum to zero and are subtracted. `values` must hold no gaps and two seasons at least, so that every month has a trend.
 */
export function additiveIndices(values: Float64Array): Float64Array {
  const indices = averageByMonth(values, (value, trend) => value - trend);
  const mean = sumOf(indices) / SEASON;
  return indices.map((value) => value - mean);
}

/** The same of positive `values`, as indices of mean one that are divided out; null unless all exceed `smallest`. */
export function multiplicativeIndices(values: Float64Array, smallest: number): Float64Array | null {
  const indices = averageByMonth(values, (value, trend) => value / trend);
  const mean = sumOf(indices) / SEASON;
  const scaled = indices.map((value) => value / mean);
  return scaled.every((value) => value > smallest) ? scaled : null;
}

function averageByMonth(values: Float64Array, detrend: (value: number, trend: number) => number): Float64Array {
  const sums = new Float64Array(SEASON);
  const counts = new Float64Array(SEASON);
  for (let t = HALF; t < values.length - HALF; t++) {
    let sum = 0.5 * (values[t - HALF]! + values[t + HALF]!);
    for (let k = 1 - HALF; k < HALF; k++) sum += values[t + k]!;
    sums[t % SEASON]! += detrend(values[t]!, sum / SEASON);
    counts[t % SEASON]!++;
  }
  return sums.map((sum, j) => sum / counts[j]!);
}
