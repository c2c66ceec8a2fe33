import type { MonthNumber } from '../../forecasting/index.js';
import { firstDayOf } from '../day-number.js';

/**
 * Decodes the arrays of a demand row from the binary format of PostgreSQL's array_send: dimensions, flags, element type, length and lower
 * bound (4 bytes each), then length-prefixed elements. Parsing the text format would take three times as long.
 */
const ARRAY_HEADER = 20;
const DATE_STRIDE = 8;
const FLOAT_STRIDE = 12;

/** Number of elements of a packed date[]. */
export function packedLength(days: Buffer): number {
  return Math.max(0, (days.length - ARRAY_HEADER) / DATE_STRIDE);
}

/** Day of element `index`, in days since 2000-01-01. */
export function packedDay(days: Buffer, index: number): number {
  return days.readInt32BE(ARRAY_HEADER + index * DATE_STRIDE + 4);
}

/** Quantity of element `index` of a packed float8[]. */
export function packedQuantity(quantities: Buffer, index: number): number {
  return quantities.readDoubleBE(ARRAY_HEADER + index * FLOAT_STRIDE + 4);
}

const startsOfYears = new Map<number, readonly number[]>();

/** Days since 2000-01-01 of the first of each month of the year and of the next January: 13 numbers. Memoized. */
export function monthStarts(year: number): readonly number[] {
  let starts = startsOfYears.get(year);
  if (!starts) {
    starts = Array.from({ length: 13 }, (_, month) => firstDayOf(12 * year + month));
    startsOfYears.set(year, starts);
  }
  return starts;
}

/** A series' demand in one year, packed as in its row. */
export interface PackedYear {
  readonly seriesId: string;
  readonly year: number;
  /** Bit m is set if calendar month m (0 = January) has demand, and in the second mask if that is a single figure. */
  readonly observedMonths: number;
  readonly monthFigures: number;
  /** Arrays of equal length; days ascend. */
  readonly days: Buffer;
  readonly quantities: Buffer;
}

/** Last day with demand, 1 to 31, of a month that has some. */
export function lastPackedDay({ year, days }: PackedYear, month: number): number {
  const starts = monthStarts(year);
  let index = packedLength(days) - 1;
  while (packedDay(days, index) >= starts[month + 1]!) index -= 1;
  return packedDay(days, index) - starts[month]! + 1;
}

/** Whether any day of the year is not the first of its month. */
export function hasLaterDays({ year, days }: PackedYear): boolean {
  const starts = monthStarts(year);
  for (let index = 0; index < packedLength(days); index++) {
    if (!starts.includes(packedDay(days, index))) return true;
  }
  return false;
}

/**
 * Adds a year's demand to monthly totals.
 * @param totals one value per month, NaN while a month has none; modified in place
 * @param firstMonth month of `totals[0]` (12 * year + month - 1); months outside the totals are skipped
 */
export function addMonthlyTotals(
  totals: Float64Array,
  firstMonth: number,
  { year, days, quantities }: PackedYear,
): void {
  const starts = monthStarts(year);
  const count = packedLength(days);
  let month = 0;
  for (let index = 0; index < count; index++) {
    const day = packedDay(days, index);
    while (month < 11 && day >= starts[month + 1]!) month += 1;
    const at = 12 * year + month - firstMonth;
    if (at < 0 || at >= totals.length) continue;
    const known = totals[at]!;
    totals[at] = (Number.isNaN(known) ? 0 : known) + packedQuantity(quantities, index);
  }
}

/**
 * The demand of the days of each of the given months in a year that has some, without months that have their first or last day alone:
 * as single figures are stored, and as many systems write a month.
 */
export function demandOfDays(
  { year, days, quantities }: PackedYear,
  firstMonth: MonthNumber,
  lastMonth: MonthNumber,
): number[][] {
  const starts = monthStarts(year);
  const count = packedLength(days);
  const demand: number[][] = [];
  for (let month = 0, index = 0; month < 12; month++) {
    const first = index;
    while (index < count && packedDay(days, index) < starts[month + 1]!) index += 1;
    const isEdge = (day: number): boolean => day === starts[month] || day === starts[month + 1]! - 1;
    const isMonth = index === first + 1 && isEdge(packedDay(days, first));
    const at = 12 * year + month;
    if (index === first || isMonth || at < firstMonth || at > lastMonth) continue;
    demand.push(Array.from({ length: index - first }, (_, day) => packedQuantity(quantities, first + day)));
  }
  return demand;
}
