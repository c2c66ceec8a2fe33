import { describe, expect, it } from '@jest/globals';
import { daysInMonth, type MonthNumber, monthNumber } from '../../forecasting/index.js';
import { dayNumber } from '../day-number.js';
import type { DailyDemand } from './daily-demand.js';
import { lacksEnd } from './incomplete-month.js';
import { MONTHS_BEFORE, RecordedDays } from './recorded-days.js';

const DECEMBER = monthNumber(2026, 12);

/** Demand in a month on the days 1 to `last` that satisfy `isOpen`. */
function month(number: MonthNumber, last = daysInMonth(number), isOpen = (_: Date): boolean => true): DailyDemand {
  const values = new Float64Array(daysInMonth(number)).fill(NaN);
  for (let day = 1; day <= last; day++) {
    if (isOpen(new Date(Date.UTC(2026, number - DECEMBER + 11, day)))) values[day - 1] = 7;
  }
  return { seriesId: 'A', month: number, isFigure: false, values };
}

/** A single figure for the month. */
const figure = (number: MonthNumber): DailyDemand => ({ ...month(number, 1), isFigure: true });

const monthsBefore = (make: (number: MonthNumber) => DailyDemand, count = MONTHS_BEFORE): DailyDemand[] =>
  Array.from({ length: count }, (_, index) => make(DECEMBER - count + index));

/** Whether December is incomplete in a workspace with these series. */
function lacksTheEnd(...series: readonly (readonly DailyDemand[])[]): boolean {
  const days = series
    .flat()
    .flatMap(({ month: number, isFigure, values }) =>
      isFigure
        ? []
        : [...values.keys()]
            .filter((index) => !Number.isNaN(values[index]))
            .map((index) => dayNumber(2026, number - DECEMBER + 12, index + 1)),
    );
  const newest = Math.max(...days);
  const recorded = new RecordedDays(DECEMBER, newest);
  for (const demand of series) recorded.addSeries(demand);
  return lacksEnd(recorded, DECEMBER, newest);
}

const onWeekdays = (day: Date): boolean => day.getUTCDay() % 6 !== 0;
const onMondays = (day: Date): boolean => day.getUTCDay() === 1;
/** Every ninth day, including the 7th, 16th and 25th of December. */
const rarely = (day: Date): boolean => (day.getTime() / 86_400_000) % 9 === 4;

describe('a past month', () => {
  it.each([
    ['daily demand ends on the 9th', 9, undefined],
    ['daily demand ends six days early', 25, undefined],
    ['weekday demand ends a week early', 24, onWeekdays],
    ['its last weekly figure is missing', 22, onMondays],
    ['demand every ninth day ends three weeks early', 10, rarely],
  ])('is incomplete when %s', (_, last, isOpen) => {
    const before = monthsBefore((number) => month(number, undefined, isOpen));
    expect(lacksTheEnd([...before, month(DECEMBER, last, isOpen)])).toBe(true);
  });

  it.each([
    ['daily demand reaches its end', 31, undefined],
    ['daily demand ends four days early', 27, undefined],
    ['weekly demand ends less than a week early', 28, onMondays],
    ['demand is as rare as before', 31, rarely],
  ])('is complete when %s', (_, last, isOpen) => {
    const before = monthsBefore((number) => month(number, undefined, isOpen));
    expect(lacksTheEnd([...before, month(DECEMBER, last, isOpen)])).toBe(false);
  });

  it('is complete when there are any later records', () => {
    const before = monthsBefore((number) => month(number));
    expect(lacksTheEnd([...before, month(DECEMBER, 9), month(DECEMBER + 1, 1)])).toBe(false);
    expect(lacksTheEnd([...before, month(DECEMBER, 9)], [month(DECEMBER + 1, 2)])).toBe(false);
  });

  it('is complete when the workspace was as silent a year ago, but not in the first year', () => {
    const lastDecember = month(DECEMBER - 12, 22);
    const year = monthsBefore((number) => (number === DECEMBER - 12 ? lastDecember : month(number)));
    expect(lacksTheEnd([...year, month(DECEMBER, 22)])).toBe(false);
    expect(lacksTheEnd([...year.slice(2), month(DECEMBER, 22)])).toBe(true);
  });

  it('is complete when fewer than 26 days before it are on record', () => {
    const november = (days: number) => month(DECEMBER - 1, days);
    expect(lacksTheEnd([november(25), month(DECEMBER, 9)])).toBe(false);
    expect(lacksTheEnd([november(26), month(DECEMBER, 9)])).toBe(true);
  });

  it('is complete when most series record it as one figure or on its first day', () => {
    const byDays = [...monthsBefore((number) => month(number)), month(DECEMBER, 9)];
    const figures = [...monthsBefore(figure), figure(DECEMBER)];
    const firsts = [...monthsBefore((number) => month(number, 1)), month(DECEMBER, 1)];
    expect(lacksTheEnd(byDays, byDays, figures)).toBe(true);
    expect(lacksTheEnd(byDays, byDays, figures, firsts)).toBe(false);
    expect(lacksTheEnd(figures, firsts)).toBe(false);
  });

  it('is incomplete despite series without other days that are filled with zero', () => {
    const filled = { ...month(DECEMBER, 1), values: new Float64Array(31).fill(NaN).fill(0, 0, 1) };
    const byDays = [...monthsBefore((number) => month(number)), month(DECEMBER, 9)];
    expect(lacksTheEnd(byDays, [filled], [filled])).toBe(true);
  });

  it('is incomplete when daily demand ends after its first day', () => {
    expect(lacksTheEnd([...monthsBefore((number) => month(number)), month(DECEMBER, 1)])).toBe(true);
  });
});
