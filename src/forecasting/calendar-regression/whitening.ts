import { calendarMonth } from '../calendar.js';
import type { MonthNumber } from '../types.js';
import { countObserved, meanAbsolute, observedRange } from '../missing.js';
import {
  COLUMNS,
  DRIFT_COLUMN,
  EASTER_COLUMN,
  easterExcess,
  SEASONAL_BASIS,
  SEASONAL_COLUMNS,
  WEEKDAY_COLUMN,
  weekdayExcess,
} from './regressors.js';

/**
 * Only the latest months enter the regression: seasons change. 60 beat 36, 48 and all on the m3 and hospital training
 * origins. What judges months of the adjusted history looks no further back: earlier ones need not have logarithms.
 */
export const WINDOW_MONTHS = 60;
/** Moving-average coefficients of the whitening filter that are compared; 1 - theta is the weight of new information in the level. */
export const FILTERS = [0, 0.3, 0.5, 0.7, 0.85, 0.95] as const;
/** Months below which a seasonal pattern is not estimated: one full season and one repeat. */
const SMALLEST_WINDOW = 13;

/** Normal equations of the whitened regression for one filter. */
export interface WhitenedMoments {
  /** Cross products of the regressors, `COLUMNS` x `COLUMNS` row-major, lower triangle. */
  readonly gram: Float64Array;
  /** Cross products of regressors and response. */
  readonly moment: Float64Array;
  /** Sum of squares of the response. */
  readonly squares: number;
}

/** The regression of one history, ready to be solved for any prior. */
export interface WhitenedSeries {
  /** Position of the window's first observation in the history. */
  readonly offset: number;
  /** Whether the response is the logarithm; else it is divided by `scale`. */
  readonly logarithmic: boolean;
  /** 1 for logarithms, else the mean absolute value of the window. */
  readonly scale: number;
  /** Whitened rows: observations but the first. */
  readonly rows: number;
  /** One entry a filter, in the order of {@link FILTERS}. */
  readonly moments: readonly WhitenedMoments[];
}

/**
 * Prepares the regression of a history on the calendar. The errors are those of simple exponential smoothing with weight
 * 1 - theta (an ARIMA(0,1,1) process), so response and regressors are whitened by taking one-step smoothing errors of each,
 * all started at the first observation; over a missing month the smoothed values stay as they are and no row arises.
 * Logarithms where the whole window is positive. Null when the window holds under 13 observations or does not vary.
 */
export function whiten(values: Float64Array, startMonth: MonthNumber): WhitenedSeries | null {
  let offset = Math.max(0, values.length - WINDOW_MONTHS);
  while (offset < values.length && Number.isNaN(values[offset]!)) offset++;
  const window = values.subarray(offset);
  const observed = countObserved(window);
  const { smallest, largest } = observedRange(window);
  if (observed < SMALLEST_WINDOW || !(largest > smallest)) return null;
  const logarithmic = smallest > 0;
  const scale = logarithmic ? 1 : meanAbsolute(window);
  const response = window.map((value) => (logarithmic ? Math.log(value) : value / scale));
  const regressors = windowRegressors(startMonth + offset, window.length);
  const moments = FILTERS.map((theta) => accumulate(response, regressors, theta));
  return { offset, logarithmic, scale, rows: observed - 1, moments };
}

function windowRegressors(firstMonth: MonthNumber, months: number): Float64Array {
  const regressors = new Float64Array(months * COLUMNS);
  for (let t = 0; t < months; t++) {
    const from = calendarMonth(firstMonth + t) * SEASONAL_COLUMNS;
    regressors.set(SEASONAL_BASIS.subarray(from, from + SEASONAL_COLUMNS), t * COLUMNS);
    regressors[t * COLUMNS + WEEKDAY_COLUMN] = weekdayExcess(firstMonth + t);
    regressors[t * COLUMNS + DRIFT_COLUMN] = t;
    regressors[t * COLUMNS + EASTER_COLUMN] = easterExcess(firstMonth + t);
  }
  return regressors;
}

function accumulate(response: Float64Array, regressors: Float64Array, theta: number): WhitenedMoments {
  const gram = new Float64Array(COLUMNS * COLUMNS);
  const moment = new Float64Array(COLUMNS);
  const smoothed = regressors.slice(0, COLUMNS);
  const error = new Float64Array(COLUMNS);
  const gain = 1 - theta;
  let level = response[0]!;
  let squares = 0;
  for (let t = 1; t < response.length; t++) {
    const value = response[t]!;
    if (Number.isNaN(value)) continue;
    const responseError = value - level;
    level += gain * responseError;
    squares += responseError * responseError;
    const row = t * COLUMNS;
    for (let i = 0; i < COLUMNS; i++) {
      const e = regressors[row + i]! - smoothed[i]!;
      smoothed[i]! += gain * e;
      error[i] = e;
      moment[i]! += e * responseError;
      const at = i * COLUMNS;
      for (let j = 0; j <= i; j++) gram[at + j]! += e * error[j]!;
    }
  }
  return { gram, moment, squares };
}
