import { calendarMonth, monthNumber, weekdaysInMonth } from '../calendar.js';
import { SEASON, type MonthNumber } from '../types.js';

/** Seasonal columns of the regression, which come first: cosine and sine of five harmonics, and the alternation of months. */
export const SEASONAL_COLUMNS = SEASON - 1;
/** All columns: the seasonal ones, weekdays of the month, and a linear drift. */
export const COLUMNS = SEASONAL_COLUMNS + 2;
/** Positions of the last two. */
export const WEEKDAY_COLUMN = COLUMNS - 2;
export const DRIFT_COLUMN = COLUMNS - 1;

/** Seasonal columns by calendar month, row-major 12 x 11: a full basis of patterns that sum to zero over the year. */
export const SEASONAL_BASIS: Float64Array = Float64Array.from({ length: SEASON * SEASONAL_COLUMNS }, (_, index) => {
  const month = Math.floor(index / SEASONAL_COLUMNS);
  const column = index % SEASONAL_COLUMNS;
  if (column === SEASONAL_COLUMNS - 1) return Math.cos(Math.PI * month);
  const angle = (2 * Math.PI * ((column >> 1) + 1) * month) / SEASON;
  return column % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
});

/** Weekdays repeat after 28 years; their mean by calendar month over one such cycle. */
const CYCLE_FIRST_YEAR = 1973;
const CYCLE_YEARS = 28;
const MEAN_WEEKDAYS: Float64Array = Float64Array.from({ length: SEASON }, (_, month) => {
  let sum = 0;
  for (let year = 0; year < CYCLE_YEARS; year++)
    sum += weekdaysInMonth(monthNumber(CYCLE_FIRST_YEAR + year, month + 1));
  return sum / CYCLE_YEARS;
});

/** Months tabulated below: 1900 to 2199. Others are computed when asked for. */
const TABLE_FIRST = monthNumber(1900, 1);
const TABLE: Float64Array = Float64Array.from({ length: 300 * SEASON }, (_, i) => computeExcess(TABLE_FIRST + i));

/** Weekdays of the month beyond the long-run mean of that calendar month, about -1.6 .. 1.6. */
export function weekdayExcess(month: MonthNumber): number {
  const index = month - TABLE_FIRST;
  return index >= 0 && index < TABLE.length ? TABLE[index]! : computeExcess(month);
}

function computeExcess(month: MonthNumber): number {
  return weekdaysInMonth(month) - MEAN_WEEKDAYS[calendarMonth(month)]!;
}
