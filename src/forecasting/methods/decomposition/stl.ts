import { sumOf } from '../../../numeric/sum.js';
import { SEASON } from '../../types.js';
import { loess } from './loess.js';

/** Seasonal window in years: wide enough for a stable pattern, narrow enough to let it change (the default of R `stlm`). */
const SEASONAL_WINDOW = 11;
/** Passes of season and trend in turn: two are enough without robustness weights (same source). */
const INNER_ITERATIONS = 2;

/** Parts of a series, as long as it; what they leave is the remainder. */
export interface StlDecomposition {
  readonly trend: Float64Array;
  readonly seasonal: Float64Array;
}

/**
 * Seasonal-trend decomposition by loess without robustness weights (Cleveland, Cleveland, McRae & Terpenning, Journal of
 * Official Statistics 6, 1990). All three smoothers are locally linear, as in statsmodels; R `stl` smooths seasons by local means unless
 * told otherwise (`s.degree = 1`). `values` must hold no gaps and more than two seasons.
 */
export function stl(values: Float64Array): StlDecomposition {
  const n = values.length;
  const trendWindow = nextOdd((1.5 * SEASON) / (1 - 1.5 / SEASONAL_WINDOW));
  const lowPassWindow = nextOdd(SEASON);
  const trend = new Float64Array(n);
  const seasonal = new Float64Array(n);
  const work = new Float64Array(n);
  const cycle = new Float64Array(n + 2 * SEASON);
  const once = new Float64Array(n + SEASON + 1);
  const twice = new Float64Array(n + 2);
  const thrice = new Float64Array(n);
  const lowPass = new Float64Array(n);
  for (let iteration = 0; iteration < INNER_ITERATIONS; iteration++) {
    for (let t = 0; t < n; t++) work[t] = values[t]! - trend[t]!;
    smoothCycles(work, n, cycle);
    movingAverage(cycle, n + 2 * SEASON, SEASON, once);
    movingAverage(once, n + SEASON + 1, SEASON, twice);
    movingAverage(twice, n + 2, 3, thrice);
    loess(thrice, lowPassWindow, lowPass);
    for (let t = 0; t < n; t++) {
      seasonal[t] = cycle[t + SEASON]! - lowPass[t]!;
      work[t] = values[t]! - seasonal[t]!;
    }
    loess(work, trendWindow, trend);
  }
  return { trend, seasonal };
}

/** Smooths each calendar month's subseries and extends it by one year at both ends. */
function smoothCycles(detrended: Float64Array, n: number, cycle: Float64Array): void {
  const years = Math.ceil(n / SEASON);
  const source = new Float64Array(years);
  const smooth = new Float64Array(years + 2);
  for (let phase = 0; phase < SEASON; phase++) {
    let count = 0;
    for (let t = phase; t < n; t += SEASON) source[count++] = detrended[t]!;
    loess(source.subarray(0, count), SEASONAL_WINDOW, smooth.subarray(0, count + 2), -1);
    for (let i = 0; i < count + 2; i++) cycle[phase + i * SEASON] = smooth[i]!;
  }
}

function movingAverage(source: Float64Array, count: number, width: number, target: Float64Array): void {
  let sum = sumOf(source, 0, width);
  target[0] = sum / width;
  for (let i = 1; i + width <= count; i++) {
    sum += source[i + width - 1]! - source[i - 1]!;
    target[i] = sum / width;
  }
}

function nextOdd(value: number): number {
  const whole = Math.ceil(value);
  return whole % 2 === 1 ? whole : whole + 1;
}
