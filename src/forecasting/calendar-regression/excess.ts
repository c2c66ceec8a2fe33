import { calendarMonth, monthNumber } from '../calendar.js';
import { sumOf } from '../../numeric/sum.js';
import { SEASON, type MonthNumber } from '../types.js';

/** Years that are tabulated and whose means are taken: three cycles of the weekdays, more than four of the moon. */
const YEARS = 84;
const FIRST_MONTH = monthNumber(1955, 1);

/** What the calendar gives a month beyond the long-run mean of that calendar month, which the season has. */
export function excessOf(valueOf: (month: MonthNumber) => number): (month: MonthNumber) => number {
  const values = Float64Array.from({ length: YEARS * SEASON }, (_, t) => valueOf(FIRST_MONTH + t));
  const means = Float64Array.from(
    { length: SEASON },
    (_, month) => sumOf(values.filter((__, t) => t % SEASON === month)) / YEARS,
  );
  const excesses = values.map((value, t) => value - means[t % SEASON]!);
  return (month) => excesses[month - FIRST_MONTH] ?? valueOf(month) - means[calendarMonth(month)]!;
}
