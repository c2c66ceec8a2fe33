import type { MonthNumber } from '../types.js';
import { countObserved, meanAbsolute, observedRange } from '../missing.js';
import type { HolidayName } from './moving-holidays.js';
import { regressorsOf } from './regressors.js';

/**
 * Only the latest months enter the regression: seasons change. 60 beat 36, 48 and all on the m3 and hospital training
 * origins. What judges months of the adjusted history looks no further back: earlier ones need not have logarithms.
 */
export const WINDOW_MONTHS = 60;
/** Moving-average coefficients of the whitening filter that are compared; 1 - theta is the weight of new information in the level. */
export const FILTERS = [0, 0.3, 0.5, 0.7, 0.85, 0.95] as const;
export const ALL_FILTERS: readonly number[] = FILTERS.map((_, filter) => filter);
/** Months below which a seasonal pattern is not estimated: one full season and one repeat. */
const MIN_WINDOW = 13;

/** Normal equations of the whitened regression for one filter. */
export interface WhitenedMoments {
  /** Index into {@link FILTERS}. */
  readonly filter: number;
  /** Cross products of the regressors, columns x columns row-major, lower triangle. */
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
  /** Month of the window's first observation. */
  readonly firstMonth: MonthNumber;
  /** One entry a month of the window, NaN where missing. */
  readonly response: Float64Array;
  /** Whitened rows: observations but the first. */
  readonly rows: number;
  /** One entry a filter, in the order of {@link FILTERS}. */
  readonly moments: readonly WhitenedMoments[];
}

/**
 * Prepares the regression of a history on the calendar: the common columns and those of some holidays. Logarithms where the whole window
 * is positive. Null when the window holds under 13 observations or does not vary.
 */
export function whiten(
  values: Float64Array,
  startMonth: MonthNumber,
  holidays: readonly HolidayName[],
): WhitenedSeries | null {
  let offset = Math.max(0, values.length - WINDOW_MONTHS);
  while (offset < values.length && Number.isNaN(values[offset]!)) offset++;
  const window = values.subarray(offset);
  const observed = countObserved(window);
  const { smallest, largest } = observedRange(window);
  if (observed < MIN_WINDOW || !(largest > smallest)) return null;
  const logarithmic = smallest > 0;
  const scale = logarithmic ? 1 : meanAbsolute(window);
  const series = {
    offset,
    logarithmic,
    scale,
    firstMonth: startMonth + offset,
    response: window.map((value) => (logarithmic ? Math.log(value) : value / scale)),
    rows: observed - 1,
  };
  return { ...series, moments: whitenedMoments(series, holidays, ALL_FILTERS) };
}

/**
 * Normal equations with the columns of these holidays, for the filters of these indices. The errors are those of simple exponential
 * smoothing with weight 1 - theta (an ARIMA(0,1,1) process), so response and regressors are whitened by taking one-step smoothing errors of
 * each, all started at the first observation; over a missing month the smoothed values stay as they are and no row arises.
 */
export function whitenedMoments(
  { response, firstMonth }: Pick<WhitenedSeries, 'response' | 'firstMonth'>,
  holidays: readonly HolidayName[],
  filters: readonly number[],
): WhitenedMoments[] {
  const regressors = regressorsOf(firstMonth, response.length, holidays);
  return filters.map((filter) => ({ filter, ...accumulate(response, regressors, FILTERS[filter]!) }));
}

function accumulate(response: Float64Array, regressors: Float64Array, theta: number): Omit<WhitenedMoments, 'filter'> {
  const columns = regressors.length / response.length;
  const gram = new Float64Array(columns * columns);
  const moment = new Float64Array(columns);
  const smoothed = regressors.slice(0, columns);
  const error = new Float64Array(columns);
  const gain = 1 - theta;
  let level = response[0]!;
  let squares = 0;
  for (let t = 1; t < response.length; t++) {
    const value = response[t]!;
    if (Number.isNaN(value)) continue;
    const responseError = value - level;
    level += gain * responseError;
    squares += responseError * responseError;
    const row = t * columns;
    for (let i = 0; i < columns; i++) {
      const e = regressors[row + i]! - smoothed[i]!;
      smoothed[i]! += gain * e;
      error[i] = e;
      moment[i]! += e * responseError;
      const at = i * columns;
      for (let j = 0; j <= i; j++) gram[at + j]! += e * error[j]!;
    }
  }
  return { gram, moment, squares };
}
