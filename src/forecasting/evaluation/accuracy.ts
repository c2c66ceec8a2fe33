import { LEVELS, MEDIAN, QUANTILE_LEVELS, type BacktestWindow } from '../types.js';

/**
 * Backtest errors of any number of series as plain sums and counts: sums of two chunks are added with {@link mergeAccuracy}
 * in any order of chunks, and turned into metrics once at the end by {@link finishAccuracy}.
 */
export interface AccuracySums {
  /** Observed months compared. */
  months: number;
  /** Sum of |actual|. */
  demand: number;
  /** Sum of |actual - median|. */
  absoluteError: number;
  /** Sum of mean forecast - actual. */
  error: number;
  /** Sum of |actual - seasonal naive|. */
  naiveAbsoluteError: number;
  /** Sum over months of twice the pinball loss, averaged over the nine levels. */
  quantileLoss: number;
  /** Months within the 10 % and 90 % quantiles, both included. */
  covered: number;
  /** Sum over series of the scaled mean absolute error of the median, the mean of the windows that have a scale. */
  scaledError: number;
  /** Series that have such a window. The name is that of stored sums: releases up to 0.13.2 counted windows. */
  scaledWindows: number;
  /** Sum over series of the scaled root mean squared error of the mean forecast, likewise. */
  scaledSquaredError: number;
}

/** Accuracy of a backtest; null where nothing was there to compute a metric from. */
export interface AccuracyMetrics {
  /** Weighted absolute percentage error of the median: sum |error| / sum |actual|. */
  readonly wape: number | null;
  /** Mean absolute scaled error of the median (Hyndman & Koehler 2006), scale = in-sample seasonal naive. */
  readonly mase: number | null;
  /** Root mean squared scaled error of the mean forecast (Makridakis, Spiliotis & Assimakopoulos 2022), same naive. */
  readonly rmsse: number | null;
  /** Sum of (mean forecast - actual) / sum |actual|; above 0 is forecast too high. */
  readonly bias: number | null;
  /** Mean over the nine levels of the weighted quantile loss: 2 sum pinball / sum |actual|. */
  readonly meanWeightedQuantileLoss: number | null;
  /** Share of observed months within the 10 % and 90 % quantiles. */
  readonly coverage: number | null;
  /** Forecast value added: 1 - sum |error| / sum |error of the seasonal naive|. */
  readonly skill: number | null;
  /** Observed months compared, those without demand too. */
  readonly months: number;
}

const NOTHING: Readonly<AccuracySums> = {
  months: 0,
  demand: 0,
  absoluteError: 0,
  error: 0,
  naiveAbsoluteError: 0,
  quantileLoss: 0,
  covered: 0,
  scaledError: 0,
  scaledWindows: 0,
  scaledSquaredError: 0,
};
const FIELDS = Object.keys(NOTHING) as (keyof AccuracySums)[];

/** Sums of nothing. */
export function emptyAccuracy(): AccuracySums {
  return { ...NOTHING };
}

/**
 * Sums over the backtest windows of one series, and the mean of their scaled errors, so that each series counts alike however many
 * windows it has. Missing months count nowhere.
 */
export function seriesAccuracy(windows: readonly BacktestWindow[]): AccuracySums {
  const sums = emptyAccuracy();
  for (const window of windows) addMonths(window, { from: 0, to: window.actual.length }, sums);
  if (sums.scaledWindows === 0) return sums;
  sums.scaledError /= sums.scaledWindows;
  sums.scaledSquaredError /= sums.scaledWindows;
  sums.scaledWindows = 1;
  return sums;
}

/** Sums over the step-th month of a window alone, its errors scaled as those of the window. */
export function monthAccuracy(window: BacktestWindow, step: number): AccuracySums {
  const sums = emptyAccuracy();
  addMonths(window, { from: step, to: step + 1 }, sums);
  return sums;
}

/** Adds the steps `from` up to `to`, without the latter. */
function addMonths(
  window: BacktestWindow,
  { from, to }: { readonly from: number; readonly to: number },
  sums: AccuracySums,
): void {
  const { actual, mean, quantiles, naive } = window;
  let months = 0;
  let absoluteError = 0;
  let squaredError = 0;
  for (let k = from; k < to; k++) {
    const value = actual[k]!;
    if (Number.isNaN(value)) continue;
    const row = k * LEVELS;
    months++;
    absoluteError += Math.abs(value - quantiles[row + MEDIAN]!);
    squaredError += (value - mean[k]!) ** 2;
    sums.demand += Math.abs(value);
    sums.error += mean[k]! - value;
    sums.naiveAbsoluteError += Math.abs(value - naive[k]!);
    sums.quantileLoss += quantileLoss(value, quantiles, row);
    if (value >= quantiles[row]! && value <= quantiles[row + LEVELS - 1]!) sums.covered++;
  }
  sums.months += months;
  sums.absoluteError += absoluteError;
  if (months > 0 && window.maseScale > 0 && window.rmsseScale > 0) {
    sums.scaledWindows++;
    sums.scaledError += absoluteError / months / window.maseScale;
    sums.scaledSquaredError += Math.sqrt(squaredError / months) / window.rmsseScale;
  }
}

/** Twice the pinball loss of one month, averaged over the nine levels; `row` is the position of its first quantile. */
export function quantileLoss(value: number, quantiles: Float64Array, row: number): number {
  let sum = 0;
  for (let j = 0; j < LEVELS; j++) {
    const error = value - quantiles[row + j]!;
    sum += error >= 0 ? QUANTILE_LEVELS[j]! * error : (QUANTILE_LEVELS[j]! - 1) * error;
  }
  return (2 * sum) / LEVELS;
}

/** Sums of both. */
export function mergeAccuracy(a: AccuracySums, b: AccuracySums): AccuracySums {
  const sums = emptyAccuracy();
  for (const field of FIELDS) sums[field] = a[field] + b[field];
  return sums;
}

/** Metrics from sums. */
export function finishAccuracy(sums: AccuracySums): AccuracyMetrics {
  return {
    wape: ratio(sums.absoluteError, sums.demand),
    mase: ratio(sums.scaledError, sums.scaledWindows),
    rmsse: ratio(sums.scaledSquaredError, sums.scaledWindows),
    bias: ratio(sums.error, sums.demand),
    meanWeightedQuantileLoss: ratio(sums.quantileLoss, sums.demand),
    coverage: ratio(sums.covered, sums.months),
    skill: sums.naiveAbsoluteError > 0 ? 1 - sums.absoluteError / sums.naiveAbsoluteError : null,
    months: sums.months,
  };
}

function ratio(sum: number, by: number): number | null {
  return by > 0 ? sum / by : null;
}
