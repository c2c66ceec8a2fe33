import { calendarMonth, weekdaysInMonth } from '../calendar.js';
import { SEASON, type MonthNumber } from '../types.js';
import { excessOf } from './excess.js';
import { holidayExcess, type HolidayName } from './moving-holidays.js';

/** Seasonal columns of the regression, which come first: cosine and sine of five harmonics, and the alternation of months. */
export const SEASONAL_COLUMNS = SEASON - 1;
/** Position of the weekdays of the month. */
export const WEEKDAY_COLUMN = SEASONAL_COLUMNS;
/** Position of a linear drift. */
export const DRIFT_COLUMN = SEASONAL_COLUMNS + 1;
/** Columns of every regression. One for each of its moving holidays follows. */
export const COMMON_COLUMNS = SEASONAL_COLUMNS + 2;

/** Seasonal columns by calendar month, row-major 12 x 11: a full basis of patterns that sum to zero over the year. */
export const SEASONAL_BASIS: Float64Array = Float64Array.from({ length: SEASON * SEASONAL_COLUMNS }, (_, index) => {
  const month = Math.floor(index / SEASONAL_COLUMNS);
  const column = index % SEASONAL_COLUMNS;
  if (column === SEASONAL_COLUMNS - 1) return Math.cos(Math.PI * month);
  const angle = (2 * Math.PI * ((column >> 1) + 1) * month) / SEASON;
  return column % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/** Weekdays of the month beyond the long-run mean of that calendar month, about -1.6 .. 1.6. */
export const weekdayExcess = excessOf(weekdaysInMonth);

/** The regressors of consecutive months: row-major, the common columns and one for each of the holidays. */
export function regressorsOf(firstMonth: MonthNumber, months: number, holidays: readonly HolidayName[]): Float64Array {
  const columns = COMMON_COLUMNS + holidays.length;
  const regressors = new Float64Array(months * columns);
  for (let t = 0; t < months; t++) {
    const month = firstMonth + t;
    const row = t * columns;
    const from = calendarMonth(month) * SEASONAL_COLUMNS;
    regressors.set(SEASONAL_BASIS.subarray(from, from + SEASONAL_COLUMNS), row);
    regressors[row + WEEKDAY_COLUMN] = weekdayExcess(month);
    regressors[row + DRIFT_COLUMN] = t;
    holidays.forEach((name, i) => (regressors[row + COMMON_COLUMNS + i] = holidayExcess(name, month)));
  }
  return regressors;
}

/** What weekdays and holidays do to a month by the coefficients of a regression with these holidays, in units of its response. */
export function movingEffect(
  coefficients: ArrayLike<number>,
  holidays: readonly HolidayName[],
  month: MonthNumber,
): number {
  let sum = coefficients[WEEKDAY_COLUMN]! * weekdayExcess(month);
  for (let i = 0; i < holidays.length; i++)
    sum += coefficients[COMMON_COLUMNS + i]! * holidayExcess(holidays[i]!, month);
  return sum;
}
