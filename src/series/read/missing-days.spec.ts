import { describe, expect, it } from '@jest/globals';
import { daysInMonth, type MonthNumber, monthNumber } from '../../forecasting/index.js';
import { dayNumber, firstDayOf, formatDayNumber } from '../day-number.js';
import type { DailyDemand } from './daily-demand.js';
import { findSilences, hasNoSilence } from './missing-days.js';
import { RecordedDays } from './recorded-days.js';

/** The last month judged. */
const OCTOBER = monthNumber(2026, 10);
const DAY_MS = 86_400_000;

/** Whether there is demand on a day, `YYYY-MM-DD`. */
type IsOpen = (day: string) => boolean;

/** A series from `first` to the month after {@link OCTOBER}, with demand on the days that satisfy `isOpen`. */
function series(isOpen: IsOpen, first: MonthNumber = OCTOBER - 15): DailyDemand[] {
  return Array.from({ length: OCTOBER + 2 - first }, (_, index) => {
    const month = first + index;
    const values = Float64Array.from({ length: daysInMonth(month) }, (_value, day) =>
      isOpen(formatDayNumber(firstDayOf(month) + day)) ? 7 : NaN,
    );
    return { seriesId: 'A', month, isFigure: false, values };
  });
}

/** The silences, as `YYYY-MM-DD` of their first and last days. */
function silencesOf(...demand: readonly (readonly DailyDemand[])[]): [string, string][] {
  return findSilences(recordedFrom(demand), OCTOBER).map(({ first, last }) => [
    formatDayNumber(first),
    formatDayNumber(last),
  ]);
}

function recordedFrom(demand: readonly (readonly DailyDemand[])[]): RecordedDays {
  const recorded = new RecordedDays(OCTOBER, dayNumber(2026, 11, 30));
  for (const one of demand) recorded.addSeries(one);
  return recorded;
}

const without =
  (from: string, to: string, isOpen: IsOpen = () => true): IsOpen =>
  (day) =>
    isOpen(day) && !(day >= from && day <= to);
const weekday = (day: string): number => new Date(day).getUTCDay();
const onWeekdays: IsOpen = (day) => weekday(day) % 6 !== 0;
const onMondays: IsOpen = (day) => weekday(day) === 1;
/** About 100 days a year. */
const atRandom: IsOpen = (day) => Math.abs(Math.sin(Date.parse(day) / DAY_MS) * 1e4) % 1 < 0.27;

describe('days that were probably not uploaded', () => {
  it.each([
    ['a week of daily demand', without('2026-09-08', '2026-09-14'), ['2026-09-08', '2026-09-14']],
    ['five days of daily demand', without('2026-08-01', '2026-08-05'), ['2026-08-01', '2026-08-05']],
    ['days around the end of the last month', without('2026-10-29', '2026-11-03'), ['2026-10-29', '2026-11-03']],
    [
      'a week of demand on weekdays, with the weekends around it',
      without('2026-09-07', '2026-09-11', onWeekdays),
      ['2026-09-05', '2026-09-13'],
    ],
    ['two weekly figures', without('2026-09-07', '2026-09-14', onMondays), ['2026-09-01', '2026-09-20']],
  ])('are %s', (_, isOpen, silence) => {
    expect(silencesOf(series(isOpen))).toEqual([silence]);
  });

  it.each([
    ['four days without demand', without('2026-09-08', '2026-09-11')],
    ['older than three months', without('2026-07-20', '2026-07-29')],
    ['after the last month', without('2026-11-02', '2026-11-12')],
    ['at the end, where nothing is on record yet', without('2026-10-20', '2026-11-30')],
    ['days as silent as a year before', without('2025-08-03', '2025-08-16', without('2026-08-01', '2026-08-14'))],
    ['a day longer than a holiday', without('2025-12-24', '2025-12-29', without('2026-09-07', '2026-09-13'))],
    ['days without demand where it is rare', atRandom],
  ])('are not those %s', (_, isOpen) => {
    expect(silencesOf(series(isOpen))).toEqual([]);
  });

  it('are two spells of the three months, although the second is no longer than the first', () => {
    const isOpen = without('2026-08-03', '2026-08-09', without('2026-09-14', '2026-09-20'));
    expect(silencesOf(series(isOpen))).toEqual([
      ['2026-08-03', '2026-08-09'],
      ['2026-09-14', '2026-09-20'],
    ]);
  });

  it('are none on which another series has demand, other than a zero that was filled in', () => {
    const broken = series(without('2026-08-28', '2026-09-03'));
    const other = (value: number): DailyDemand[] => {
      const days = series((day) => day === '2026-07-02' || day === '2026-09-01');
      return days.map((month) => ({ ...month, values: month.values.map((y) => (Number.isNaN(y) ? y : value)) }));
    };
    expect(silencesOf(broken, other(3))).toEqual([]);
    expect(silencesOf(broken, other(0))).toHaveLength(1);
  });

  it('are none where fewer than 26 earlier days are on record, or most series have figures', () => {
    const isOpen = without('2026-09-08', '2026-09-14');
    const since = (day: string): IsOpen => without('2020-01-01', day, isOpen);
    expect(silencesOf(series(since('2026-07-05'), OCTOBER - 3))).toHaveLength(1);
    expect(silencesOf(series(since('2026-07-06'), OCTOBER - 3))).toEqual([]);
    const monthly = series((day) => day.endsWith('-01')).map((month) => ({ ...month, isFigure: true }));
    expect(silencesOf(series(isOpen), monthly)).toEqual([]);
  });

  it('need no further series once those read have demand in every five days', () => {
    const end = dayNumber(2026, 11, 14);
    const isEnough = (isOpen: IsOpen) => hasNoSilence(recordedFrom([series(isOpen)]), OCTOBER, end);
    expect(isEnough(without('2026-11-11', '2026-11-30'))).toBe(true);
    expect(isEnough(without('2026-11-10', '2026-11-30'))).toBe(false);
    expect(isEnough(without('2026-08-01', '2026-08-05'))).toBe(false);
    expect(isEnough(without('2026-07-20', '2026-07-31'))).toBe(true);
  });
});
