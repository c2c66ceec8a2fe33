import { clamp } from '../../numeric/clamp.js';
import { meanOfFirst } from '../missing.js';
import { SEASON } from '../types.js';
import { estimateSeason } from './seasonal-means.js';
import { FIT, FITS_AFTER, INPUT_MONTHS, OUTPUT_MONTHS, PATH } from './shape.js';

/*
 * Simple classical forecasts of the window as further inputs of the network. Choosing smoothing rates by their past errors is
 * what a small network cannot do by itself; what to make of the forecasts it learns. Three paths:
 *   additive:       seasonal means, simple exponential smoothing, half the linear slope (as the theta method has it,
 *                   Assimakopoulos and Nikolopoulos 2000);
 *   multiplicative: the same on logarithms, where every value is positive (otherwise the additive one again);
 *   damped:         Holt's damped trend (Gardner and McKenzie 1985) on the additively adjusted series.
 */

/** Smoothing rates compared, from the plain mean (0) to the last value (1). */
const RATES = Float64Array.of(0, 0.04, 0.08, 0.14, 0.22, 0.32, 0.44, 0.6, 0.8, 1);
/** Twelve pairs of a rate for the level and one for the trend, the latter as a share of the former. */
const DAMPED_PAIRS = [0.1, 0.25, 0.5, 0.8].flatMap((rate) => [0.05, 0.15, 0.4].map((share) => [rate, rate * share]));
const DAMPED_RATES = Float64Array.from(DAMPED_PAIRS, ([rate]) => rate!);
const DAMPED_TREND_RATES = Float64Array.from(DAMPED_PAIRS, ([, trendRate]) => trendRate!);
/** Damping of the trend a month. */
const DAMPING = 0.95;
/** Observed months whose mean the smoothing starts from. */
const START_MONTHS = 6;

// The window being encoded, one at a time: training encodes some ten million of them and should not make arrays for each.
const season = new Float64Array(SEASON);
const series = new Float64Array(INPUT_MONTHS);
const levels = new Float64Array(DAMPED_RATES.length);
const trends = new Float64Array(DAMPED_RATES.length);
const squares = new Float64Array(DAMPED_RATES.length);
const path = new Float64Array(OUTPUT_MONTHS);

/** Scaled paths are clipped here, as the values are. */
const PATH_LIMIT = 8;

/** How the window was scaled: value = center + spread * network unit. */
interface Scale {
  readonly center: number;
  readonly spread: number;
}

/** What smoothing one path found. */
interface Fit {
  readonly rate: number;
  /** Root mean square one-step error. */
  readonly error: number;
  /** Shrunk linear slope a month. */
  readonly slope: number;
  readonly seasonalShare: number;
}

function startLevel(months: number): number {
  return meanOfFirst(series.subarray(0, months), START_MONTHS);
}

/** Takes the season out of `series`, smooths it and writes the forecast with the season put back to `path`. */
function smooth(months: number): Fit {
  const seasonalShare = estimateSeason(series, months, season);
  let count = 0;
  let meanTime = 0;
  let mean = 0;
  for (let i = 0; i < months; i++) {
    const x = series[i]! - season[(months - 1 - i) % SEASON]!;
    series[i] = x;
    if (Number.isNaN(x)) continue;
    count++;
    meanTime += i;
    mean += x;
  }
  meanTime /= count;
  mean /= count;
  let covariance = 0;
  let variance = 0;
  for (let i = 0; i < months; i++) {
    const x = series[i]!;
    if (Number.isNaN(x)) continue;
    covariance += (i - meanTime) * (x - mean);
    variance += (i - meanTime) * (i - meanTime);
  }
  // A slope over few months is mostly noise: shrunk as if a year more of flat months were there.
  const slope = covariance / (variance + SEASON ** 3);

  // All rates in one pass over the months: independent recursions keep the processor busy.
  levels.fill(startLevel(months));
  levels[0] = mean;
  squares.fill(0);
  for (let i = 0; i < months; i++) {
    const x = series[i]!;
    if (Number.isNaN(x)) continue;
    for (let r = 0; r < RATES.length; r++) {
      const error = x - levels[r]!;
      squares[r]! += error * error;
      levels[r]! += RATES[r]! * error;
    }
  }
  let best = 0;
  for (let r = 1; r < RATES.length; r++) if (squares[r]! < squares[best]!) best = r;
  for (let k = 0; k < OUTPUT_MONTHS; k++) path[k] = levels[best]! + 0.5 * slope * (k + 1) + seasonAhead(k);
  return { rate: RATES[best]!, error: Math.sqrt(squares[best]! / count), slope, seasonalShare };
}

const seasonAhead = (k: number): number => season[SEASON - 1 - (k % SEASON)]!;

/** Damped trend on what {@link smooth} left in `series`; writes `path` and returns the root mean square error. */
function dampedTrend(months: number): number {
  levels.fill(startLevel(months));
  trends.fill(0);
  squares.fill(0);
  let count = 0;
  for (let i = 0; i < months; i++) {
    const x = series[i]!;
    const missing = Number.isNaN(x);
    if (!missing) count++;
    for (let r = 0; r < DAMPED_RATES.length; r++) {
      const trend = DAMPING * trends[r]!;
      const expected = levels[r]! + trend;
      const error = missing ? 0 : x - expected;
      squares[r]! += error * error;
      levels[r] = expected + DAMPED_RATES[r]! * error;
      trends[r] = trend + DAMPED_TREND_RATES[r]! * error;
    }
  }
  let best = 0;
  for (let r = 1; r < DAMPED_RATES.length; r++) if (squares[r]! < squares[best]!) best = r;
  let bestLevel = levels[best]!;
  let bestTrend = trends[best]!;
  for (let k = 0; k < OUTPUT_MONTHS; k++) {
    bestTrend *= DAMPING;
    bestLevel += bestTrend;
    path[k] = bestLevel + seasonAhead(k);
  }
  return Math.sqrt(squares[best]! / count);
}

const logRatio = (value: number): number => Math.log(clamp(value, 0.05, 5));

/** Writes path `index` from `row[at]`, scaled like the window's values. */
function writePath(row: Float32Array, at: number, index: number, { center, spread }: Scale): void {
  for (let k = 0; k < OUTPUT_MONTHS; k++) {
    row[at + index * OUTPUT_MONTHS + k] = clamp((path[k]! - center) / spread, -PATH_LIMIT, PATH_LIMIT);
  }
}

/** Reads the window into `series`; whether any month is observed, and whether all observed ones are positive. */
function readWindow(window: Float64Array | Float32Array): { observed: boolean; positive: boolean } {
  let observed = false;
  let positive = true;
  for (let i = 0; i < window.length; i++) {
    const x = window[i]!;
    series[i] = x;
    if (x <= 0) positive = false;
    if (!Number.isNaN(x)) observed = true;
  }
  return { observed, positive };
}

/**
 * Writes the classical inputs of a window from `row[at]`: the paths scaled like the window's values, then the features of the
 * fits. The row must be zero there; without an observed month it stays so.
 * @param window at most {@link INPUT_MONTHS} months, oldest first, NaN where missing
 */
export function encodeClassical(
  window: Float64Array | Float32Array,
  row: Float32Array,
  at: number,
  scale: Scale,
): void {
  const months = window.length;
  const { observed, positive } = readWindow(window);
  if (!observed) return;
  const { center, spread } = scale;
  const fits = at + FITS_AFTER;

  const additive = smooth(months);
  writePath(row, at, PATH.additive, scale);
  if (!positive) writePath(row, at, PATH.multiplicative, scale); // there are no logarithms: the additive one again
  row[fits + FIT.additiveRate] = additive.rate;
  row[fits + FIT.additiveError] = logRatio(additive.error / spread);
  row[fits + FIT.additiveSlope] = clamp((SEASON * additive.slope) / spread, -5, 5);
  row[fits + FIT.additiveSeason] = additive.seasonalShare;
  row[fits + FIT.dampedError] = logRatio(dampedTrend(months) / spread);
  writePath(row, at, PATH.damped, scale);
  if (!positive) {
    row[fits + FIT.multiplicativeSeason] = row[fits + FIT.additiveSeason]!;
    row[fits + FIT.multiplicativeError] = row[fits + FIT.additiveError]!;
    return;
  }
  for (let i = 0; i < months; i++) series[i] = Math.log(window[i]!);
  const multiplicative = smooth(months);
  for (let k = 0; k < OUTPUT_MONTHS; k++) path[k] = Math.exp(path[k]!);
  row[fits + FIT.multiplicativeSeason] = multiplicative.seasonalShare;
  // Relative error to error in spreads, so that it compares with the additive fit's.
  row[fits + FIT.multiplicativeError] = logRatio((multiplicative.error * Math.abs(center)) / spread);
  writePath(row, at, PATH.multiplicative, scale);
}
