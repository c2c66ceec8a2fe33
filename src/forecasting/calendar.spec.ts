import { describe, expect, it } from '@jest/globals';
import {
  calendarMonth,
  daysInMonth,
  firstWeekday,
  formatDay,
  formatMonth,
  monthNumber,
  parseMonth,
  weekdaysInMonth,
} from './calendar.js';

describe('months', () => {
  it('convert to numbers and back', () => {
    expect(parseMonth('2026-11')).toBe(24322);
    expect(parseMonth('2026-11-01')).toBe(24322);
    expect(formatMonth(24322 + 2)).toBe('2027-01-01');
    expect([formatDay(24322, 9), formatDay(24322, 30)]).toEqual(['2026-11-09', '2026-11-30']);
    expect(calendarMonth(monthNumber(2027, 1))).toBe(0);
  });

  it.each(['2026-13', '2026-00-01', '2026-11-02', 'Nov 2026', ''])('are rejected when written as "%s"', (text) => {
    expect(() => parseMonth(text)).toThrow(RangeError);
  });
});

describe('weekdaysInMonth', () => {
  it.each([
    ['2026-02', 20], // 28 days, always four of each
    ['2024-02', 21], // 29 February 2024 was a Thursday
    ['2026-11', 21], // starts on a Sunday
    ['2025-08', 21], // 31 days from a Friday
    ['1999-03', 23], // 31 days from a Monday
  ])('counts Monday to Friday of %s', (month, expected) => {
    expect(weekdaysInMonth(parseMonth(month))).toBe(expected);
  });
});

describe('a month', () => {
  it.each([
    ['2024-02', 29, 4], // from a Thursday
    ['2026-11', 30, 0], // from a Sunday
    ['1900-02', 28, 4], // not a leap year
  ])('%s has %p days and begins on weekday %p', (month, days, weekday) => {
    expect([daysInMonth(parseMonth(month)), firstWeekday(parseMonth(month))]).toEqual([days, weekday]);
  });
});
