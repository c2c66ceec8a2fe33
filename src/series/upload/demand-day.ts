import { monthNumber } from '../../forecasting/index.js';
import { HOUR_MS, later } from '../../platform/durations.js';
import { type DayNumber, dayNumber, formatDayNumber, monthOf, yearOf } from '../day-number.js';

/** An earlier date is considered a typo. */
export const EARLIEST_DAY = dayNumber(1900, 1, 1);

/** A month, a day, or a day as exported by spreadsheets and databases: a timestamp at midnight. */
const DAY = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ]00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-]00:?00)?)?)?$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** Whether a text accepted by {@link parseDay} names a month, `YYYY-MM`, rather than a day. */
export function isMonth(ds: string): boolean {
  return ds.length === 7;
}

/** Whether the text is a point in time: it is unclear which day of the workspace it belongs to. */
export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text);
}

/**
 * Day number of `YYYY-MM-DD` (also with a time of midnight, plain or UTC), or of the first day of `YYYY-MM`; undefined if the text is not a
 * calendar date.
 */
export function parseDay(text: string): DayNumber | undefined {
  const match = DAY.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)];
  const number = dayNumber(year, month, day);
  // Date rolls 02-30 over into March, 13-01 into the next year, and takes the years 0 to 99 for 1900 to 1999
  return yearOf(number) === year && monthOf(number) === monthNumber(year, month) ? number : undefined;
}

/** Other unambiguous forms of a day or a month, unlike `12/11/2025`; `201211` may be a day in 2020, `202511` cannot. */
const OTHERWISE_WRITTEN = [
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<year>\d{4})[-./](?<month>\d{1,2})[-./](?<day>\d{1,2})$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?<month>\d{1,2})\/(?<day>1[3-9]|[23]\d)\/(?<year>\d{4})$/,
  /^(?<day>1[3-9]|[23]\d)\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  /^(?<month>\d{1,2})[-./](?<year>\d{4})$/,
  /^(?<year>\d{4})[-./](?<month>\d{1,2})$/,
  /^(?<year>20(?:1[3-9]|[2-9]\d))(?<month>\d{2})$/,
];
const MONTH_NAMES = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month, 1)).toLowerCase(),
);
/** A month by its English name or the beginning of it, alone or after a day: `Jan 2024`, `15-March-2024`. */
const NAMED_MONTH = /^(?:(?<day>\d{1,2})[-./ ]{1,2})?(?<name>[a-z]{3,9})[-./ ]{1,2}(?<year>\d{4})$/;
/** Serial day numbers of spreadsheets (days since 1899-12-30) between 1982 and 2078. */
const SERIAL_DAY = /^[3-6]\d{4}$/;
const SERIAL_EPOCH = dayNumber(1899, 12, 30);

/** The day or month, `YYYY-MM-DD` or `YYYY-MM`, clearly meant by a text that {@link parseDay} rejects; undefined if it is unclear. */
export function intendedDate(text: string): string | undefined {
  if (SERIAL_DAY.test(text)) return formatDayNumber(SERIAL_EPOCH + Number(text));
  const numbered = withNumberedMonth(text);
  for (const form of OTHERWISE_WRITTEN) {
    const { year, month, day } = form.exec(numbered)?.groups ?? {};
    const iso = [year, month, day].filter((part) => part !== undefined).map((part) => part.padStart(2, '0'));
    if (year !== undefined && parseDay(iso.join('-')) !== undefined) return iso.join('-');
  }
  return undefined;
}

/** The text with the month as a number if it names one: `15.3.2024` for `15 Mar 2024`. */
function withNumberedMonth(text: string): string {
  const { day, name, year } = NAMED_MONTH.exec(text.toLowerCase())?.groups ?? {};
  const month = name === undefined ? 0 : monthOfName(name);
  return month === 0 ? text : [day, month, year].filter((part) => part !== undefined).join('.');
}

/** 1 to 12 by the English name of a month, or at least three letters of it in lower case; 0 for any other text. */
function monthOfName(name: string): number {
  return MONTH_NAMES.findIndex((full) => full.startsWith(name)) + 1;
}

/** `2025`, `2025-Q1`, `2025W05`, `2025M01`, `Q1 2025`, `KW 5/25`. */
const YEAR_OR_PART =
  /^(?:(?:19|20)\d\d(?:[-./ ]?(?:q|m|w|cw|kw|wk|week) ?\d{1,2})?|(?:q|w|cw|kw|wk|week) ?\d{1,2}[-./ ](?:20)?\d\d)$/i;

/** What precedes the month in `2025 Jan`, and in `25-Jan`, as spreadsheets show a `Jan-25` that they take for a day. */
const NUMBER_AHEAD = /^\d{1,4}[-./ ]{0,2}/;

/**
 * The first of the columns named after a day, month, year or a week or quarter of one, so that its values are demand: `2025-01`,
 * `2025-01-31T00:00:00`, `1/2025`, and `Jan-25`, as spreadsheets show a month. Months without a year are such columns if there are two:
 * a single `May` may be a name like any other. Months in other languages need not be known: most tables have one written as in English.
 */
export function columnOfDate(names: readonly string[]): string | undefined {
  const dated = names.find(isNamedAfterDate);
  if (dated !== undefined) return dated;
  const months = names.filter(isMonthName);
  return months.length > 1 ? months[0] : undefined;
}

function isNamedAfterDate(name: string): boolean {
  if (!/\d/.test(name)) return false; // nearly all names
  const text = name.trim();
  if (YEAR_OR_PART.test(text) || isMonthName(text.replace(NUMBER_AHEAD, ''))) return true;
  const wholeYear = text.replace(/(?<=[-./ ])'?(?=\d\d$)/, '20');
  return (parseDay(text) ?? intendedDate(text) ?? intendedDate(wholeYear)) !== undefined;
}

function isMonthName(name: string): boolean {
  const text = name.trim().toLowerCase();
  return /^[a-z]{3,9}\.?$/.test(text) && monthOfName(text.replace('.', '')) > 0;
}

/** Numbers of at most two digits, or the name of a month before or after one: none of them is a whole year. */
const SHORT_YEAR =
  /^(?:\d{1,2}([-./ ])\d{1,2}\1\d{2}|(?:\d{1,2}[-./ ])?\p{L}{3,9}\.?[-./ ']{1,2}\d{2}|\d{1,2}[-./]\d{2})$/u;

/** Whether a text that is not a date looks like one whose year has two digits: which century or part it is remains unclear. */
export function hasShortYear(text: string): boolean {
  return SHORT_YEAR.test(text);
}

/**
 * The latest day that demand may have: the end of the month in progress in the time zone furthest ahead (UTC+14), so that a month is
 * accepted as soon as it has begun anywhere.
 */
export function latestDay(now: Date): DayNumber {
  const ahead = later(now, 14 * HOUR_MS);
  return dayNumber(ahead.getUTCFullYear(), ahead.getUTCMonth() + 2, 0);
}
