import { calendarMonth, monthNumber } from '../calendar.js';
import { sumOf } from '../../numeric/sum.js';
import { SEASON, type MonthNumber } from '../types.js';

/** Years that are tabulated and whose means are taken: three cycles of the weekdays, more than four of the moon. */
const YEARS = 84;
const FIRST_MONTH = monthNumber(1955, 1);

/** What the calendar gives a month beyond the long-run mean of that calendar month, which the season has. */
export function excessOf(valueOf: (month: MonthNumber) => number): (month: MonthNumber) => number {
  let table: ExcessTable | undefined; // made when it is first asked for: processes that forecast nothing load the engine too
  return (month) => {
    const { excesses, means } = (table ??= tabulate(valueOf));
    return excesses[month - FIRST_MONTH] ?? valueOf(month) - means[calendarMonth(month)]!;
  };
}

interface ExcessTable {
  readonly excesses: Float64Array;
  /** By calendar month. */
  readonly means: Float64Array;
}

function tabulate(valueOf: (month: MonthNumber) => number): ExcessTable {
  const values = Float64Array.from({ length: YEARS * SEASON }, (_, t) => valueOf(FIRST_MONTH + t));
  const means = Float64Array.from(
    { length: SEASON },
    (_, month) => sumOf(values.filter((__, t) => t % SEASON === month)) / YEARS,
  );
  return { excesses: values.map((value, t) => value - means[t % SEASON]!), means };
}
