import { calendarMonth, easterSunday, monthNumber, weekdaysInMonth } from '../calendar.js';
import { sumOf } from '../../numeric/sum.js';
import { SEASON, type MonthNumber } from '../types.js';

/** Seasonal columns of the regression, which come first: cosine and sine of five harmonics, and the alternation of months. */
export const SEASONAL_COLUMNS = SEASON - 1;
/** All columns: the seasonal ones, weekdays of the month, a linear drift, and Easter, which stored priors of releases up to 0.17.0 lack. */
export const COLUMNS = SEASONAL_COLUMNS + 3;
/** Positions of the last three. */
export const WEEKDAY_COLUMN = COLUMNS - 3;
export const DRIFT_COLUMN = COLUMNS - 2;
export const EASTER_COLUMN = COLUMNS - 1;

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

/** Years tabulated below. Others are computed when asked for. */
const FIRST_YEAR = 1900;
const YEARS = 300;
const [MARCH, APRIL] = [2, 3];
const DAYS_OF_MARCH = 31;
/**
 * Days around Easter Sunday that its effect is spread over evenly: the week before it and the Monday after (the regressor of X-12-ARIMA;
 * Findley et al., JBES 16, 1998, with the Monday, which most countries have off).
 */
const DAYS_BEFORE = 7;
const DAYS_AFTER = 1;
const MEAN_IN_APRIL = sumOf(Float64Array.from({ length: YEARS }, (_, i) => shareInApril(FIRST_YEAR + i))) / YEARS;

/** Weekdays of the month beyond the long-run mean of that calendar month, about -1.6 .. 1.6. */
export const weekdayExcess = tabulated((month) => weekdaysInMonth(month) - MEAN_WEEKDAYS[calendarMonth(month)]!);

/** Share of the days around Easter that lie in the month beyond the long-run mean of that calendar month: 0 but for March and April. */
export const easterExcess = tabulated((month) => {
  const ofYear = calendarMonth(month);
  if (ofYear !== MARCH && ofYear !== APRIL) return 0;
  const inApril = shareInApril(Math.floor(month / SEASON)) - MEAN_IN_APRIL;
  return ofYear === APRIL ? inApril : -inApril;
});

function shareInApril(year: number): number {
  const days = DAYS_BEFORE + 1 + DAYS_AFTER;
  const inApril = easterSunday(year) + DAYS_AFTER - DAYS_OF_MARCH + 1;
  return Math.max(0, Math.min(days, inApril)) / days;
}

function tabulated(compute: (month: MonthNumber) => number): (month: MonthNumber) => number {
  const first = monthNumber(FIRST_YEAR, 1);
  const table = Float64Array.from({ length: YEARS * SEASON }, (_, i) => compute(first + i));
  return (month) => table[month - first] ?? compute(month);
}
