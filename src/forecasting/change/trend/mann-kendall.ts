import { normalUpperTail } from '../../../numeric/normal.js';
import { median } from '../../../numeric/sample-quantile.js';

/** Slope and significance of a monotonic trend. */
export interface MonotonicTrend {
  /** Theil-Sen slope (median over all pairs of observations) per index step, in the unit of the values. */
  readonly slope: number;
  /** Two-sided significance of a monotonic trend, corrected for serial correlation. */
  readonly pValue: number;
}

/** Significant digits to which values are compared: deseasonalized demand that ties differs by a rounding error. */
const DIGITS = 12;
/** Autocorrelations of the ranks within this many standard errors of 0 do not enter the correction. */
const SIGNIFICANT = 1.96;

/**
 * Theil-Sen slope (Sen, JASA 63, 1968) and Mann-Kendall test of a sequence with gaps (NaN), the variance of the test multiplied
 * by the correction of Hamed & Rao (Journal of Hydrology 204, 1998):
 *
 *   n/n* = 1 + 2 / (n (n-1) (n-2)) sum_i (n-i) (n-i-1) (n-i-2) r_i
 *
 * where r_i are the significant autocorrelations of the ranks of the values less the slope; lags count observations, not months.
 * Ties reduce the variance. Fewer than four observations: slope 0 and p = 1. O(n^2 log n).
 */
export function monotonicTrend(values: Float64Array | readonly number[]): MonotonicTrend {
  const observed: { readonly t: number; readonly value: number }[] = [];
  values.forEach((value, t) => {
    if (Number.isFinite(value)) observed.push({ t, value: Number(value.toPrecision(DIGITS)) });
  });
  const n = observed.length;
  if (n < 4) return { slope: 0, pValue: 1 };
  const slopes: number[] = [];
  let score = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const rise = observed[j]!.value - observed[i]!.value;
      score += Math.sign(rise);
      slopes.push(rise / (observed[j]!.t - observed[i]!.t));
    }
  }
  const slope = median(slopes);
  const detrended = observed.map(({ t, value }) => value - slope * t);
  const variance = testVariance(observed.map(({ value }) => value)) * serialCorrection(detrended);
  if (!(variance > 0) || score === 0) return { slope, pValue: 1 };
  const z = (Math.abs(score) - 1) / Math.sqrt(variance);
  return { slope, pValue: Math.min(2 * normalUpperTail(Math.max(z, 0)), 1) };
}

function testVariance(values: readonly number[]): number {
  const n = values.length;
  const sorted = [...values].sort((a, b) => a - b);
  let ties = 0;
  for (let start = 0; start < n;) {
    let end = start + 1;
    while (end < n && sorted[end] === sorted[start]) end++;
    const size = end - start;
    ties += size * (size - 1) * (2 * size + 5);
    start = end;
  }
  return (n * (n - 1) * (2 * n + 5) - ties) / 18;
}

/** n/n*; not below 1, since a negative correlation in two years of months is more often chance than a reason for more certainty. */
function serialCorrection(detrended: readonly number[]): number {
  const n = detrended.length;
  const ranks = ranksOf(detrended);
  const mean = (n + 1) / 2;
  let square = 0;
  for (const rank of ranks) square += (rank - mean) * (rank - mean);
  if (square === 0) return 1;
  let sum = 0;
  for (let lag = 1; lag < n - 2; lag++) {
    let product = 0;
    for (let t = lag; t < n; t++) product += (ranks[t]! - mean) * (ranks[t - lag]! - mean);
    const correlation = product / square;
    if (Math.abs(correlation) > SIGNIFICANT / Math.sqrt(n))
      sum += (n - lag) * (n - lag - 1) * (n - lag - 2) * correlation;
  }
  return Math.max(1 + (2 * sum) / (n * (n - 1) * (n - 2)), 1);
}

/** Ranks from 1, ties sharing their mean. */
function ranksOf(values: readonly number[]): Float64Array {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let i = start; i < end; i++) ranks[order[i]!] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
