import type { MonthNumber } from './types.js';

const ISO_MONTH = /^(\d{4})-(\d{2})(?:-01)?$/;
const DAY_MS = 86_400_000;

/** Month number of `YYYY-MM` or `YYYY-MM-01`. Throws RangeError on anything else. */
export function parseMonth(text: string): MonthNumber {
  const match = ISO_MONTH.exec(text);
  const month = match ? Number(match[2]) : 0;
  if (!match || month < 1 || month > 12) throw new RangeError(`month: expected YYYY-MM or YYYY-MM-01, got "${text}"`);
  return monthNumber(Number(match[1]), month);
}

/** Month number of a year and a calendar month 1..12. */
export function monthNumber(year: number, month: number): MonthNumber {
  return 12 * year + month - 1;
}

/** First day of the month as `YYYY-MM-01`. */
export function formatMonth(month: MonthNumber): string {
  return formatDay(month, 1);
}

/** A day of the month, 1 to 31, as `YYYY-MM-DD`. */
export function formatDay(month: MonthNumber, day: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return [year, calendarMonth(month) + 1, day].map((part) => String(part).padStart(2, '0')).join('-');
}

const IN_WORDS = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The month as people say it: `October 2026`. */
export function monthInWords(month: MonthNumber): string {
  return IN_WORDS.format(firstDay(month));
}

const CALENDAR_MONTH_IN_WORDS = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
const LIST = new Intl.ListFormat('en-GB');

/** Calendar months, 0 (January) .. 11, as people say them: `November and December`. */
export function calendarMonthsInWords(months: readonly number[]): string {
  return LIST.format(months.map((month) => CALENDAR_MONTH_IN_WORDS.format(firstDay(month))));
}

const DAY_IN_WORDS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A day in days since 1970-01-01 as people say it: `6 February 2027`. */
export function dayInWords(day: number): string {
  return DAY_IN_WORDS.format(day * DAY_MS);
}

/** Calendar month 0 (January) .. 11 (December). */
export function calendarMonth(month: MonthNumber): number {
  return ((month % 12) + 12) % 12;
}

/** Days of the month. */
export function daysInMonth(month: MonthNumber): number {
  return firstDayNumber(month + 1) - firstDayNumber(month);
}

/** Weekday of the first of the month, 0 (Sunday) .. 6. */
export function firstWeekday(month: MonthNumber): number {
  // 1970-01-01 was a Thursday: day number 0 is weekday 4.
  return (((firstDayNumber(month) + 4) % 7) + 7) % 7;
}

/** Days from Monday to Friday in the month (proleptic Gregorian calendar, public holidays not taken off). */
export function weekdaysInMonth(month: MonthNumber): number {
  const length = daysInMonth(month);
  const weekday = firstWeekday(month);
  let count = 20;
  for (let extra = 28; extra < length; extra++) {
    const day = (weekday + extra) % 7;
    if (day !== 0 && day !== 6) count++;
  }
  return count;
}

/** The first of the month in days since 1970-01-01. */
export function firstDayNumber(month: MonthNumber): number {
  return firstDay(month) / DAY_MS;
}

function firstDay(month: MonthNumber): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), calendarMonth(month), 1);
  return date.getTime();
}
