import { type MonthNumber, monthNumber } from '../forecasting/index.js';
import { DAY_MS } from '../platform/durations.js';

/** Days since 2000-01-01, the epoch of PostgreSQL's `date`. */
export type DayNumber = number;

const EPOCH = Date.UTC(2000, 0, 1);

/** Day number of a calendar date, month 1..12. */
export function dayNumber(year: number, month: number, day: number): DayNumber {
  return Math.round((Date.UTC(year, month - 1, day) - EPOCH) / DAY_MS);
}

export function yearOf(day: DayNumber): number {
  return dateOf(day).getUTCFullYear();
}

export function monthOf(day: DayNumber): MonthNumber {
  const date = dateOf(day);
  return monthNumber(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export function firstDayOf(month: MonthNumber): DayNumber {
  return dayNumber(Math.floor(month / 12), (month % 12) + 1, 1);
}

/** `YYYY-MM-DD`. */
export function formatDayNumber(day: DayNumber): string {
  return dateOf(day).toISOString().slice(0, 10);
}

function dateOf(day: DayNumber): Date {
  return new Date(EPOCH + day * DAY_MS);
}
