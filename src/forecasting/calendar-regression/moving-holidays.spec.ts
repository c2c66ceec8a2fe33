import { describe, expect, it } from '@jest/globals';
import { monthNumber, parseMonth } from '../calendar.js';
import { diwali, easter, eidAlFitr, lunarNewYear, orthodoxEaster, type Feast } from './feasts.js';
import { holidayExcess, HOLIDAYS } from './moving-holidays.js';

const datesOf = (feast: Feast, year: number): string[] =>
  feast(year).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

describe('a feast', () => {
  it.each<[string, Feast, readonly string[]]>([
    ['Easter', easter, ['1818-03-22', '1943-04-25', '2000-04-23', '2024-03-31', '2026-04-05', '2038-04-25']],
    [
      'orthodox Easter',
      orthodoxEaster,
      ['1983-05-08', '2010-04-04', '2016-05-01', '2024-05-05', '2026-04-12', '2100-05-02'],
    ],
    [
      'Lunar New Year',
      lunarNewYear,
      ['1966-01-21', '1985-02-20', '2012-01-23', '2015-02-19', '2020-01-25', '2024-02-10', '2033-01-31', '2034-02-19'],
    ],
    [
      'Diwali',
      diwali,
      [
        '2009-10-17',
        '2012-11-13',
        '2020-11-14',
        '2021-11-04',
        '2022-10-24',
        '2024-10-31',
        '2026-11-08',
        '2028-10-17',
        '2039-11-15',
      ],
    ],
    ['Eid al-Fitr', eidAlFitr, ['1990-04-27', '2015-07-18', '2024-04-10', '2030-02-05']],
  ])('%s falls on its known dates', (_, feast, dates) => {
    expect(dates.flatMap((date) => datesOf(feast, Number(date.slice(0, 4))))).toEqual(dates);
  });

  it('can fall twice in a year', () => {
    expect(datesOf(eidAlFitr, 2000)).toEqual(['2000-01-08', '2000-12-28']);
  });

  it.each([
    ['Lunar New Year', lunarNewYear, 'chinese', '1/1'],
    ['Eid al-Fitr', eidAlFitr, 'islamic-umalqura', '10/1'],
  ] as const)('%s agrees with its calendar to the day', (_, feast, calendar, date) => {
    const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, {
      month: 'numeric',
      day: 'numeric',
      timeZone: 'UTC',
    });
    for (let year = 1950; year < 2050; year++) {
      for (const day of feast(year)) {
        const around = [day - 1, day, day + 1].map((near) => format.formatToParts(near * 86_400_000));
        const dates = around.map((parts) =>
          parts.flatMap(({ type, value }) => (/^(month|day)$/.test(type) ? value : [])),
        );
        expect(dates.map((parts) => parts.join('/'))).toContain(date);
      }
    }
  });
});

describe('a moving holiday', () => {
  it.each([
    [2023, 0],
    [2024, 0.888889],
    [2025, 0],
    [2018, 0.777778],
    [2035, 1],
  ])('has the share of Easter that falls in March %d', (year, share) => {
    const excess = (month: number): number => holidayExcess('easter', monthNumber(year, month));
    expect(excess(3) + excess(4)).toBeCloseTo(0, 12);
    expect(excess(3) - holidayExcess('easter', monthNumber(2025, 3))).toBeCloseTo(share, 6);
    expect(excess(5)).toBe(0);
  });

  it('can start in the year before its feast: days before Eid of 3 January 2033 are in December', () => {
    const december = (year: number): number => holidayExcess('eid_al_fitr', monthNumber(year, 12));
    expect(datesOf(eidAlFitr, 2033)).toEqual(['2033-01-03', '2033-12-23']);
    expect(december(2032) - december(2031)).toBeCloseTo(6 / 15, 12);
    expect(december(2033) - december(2031)).toBeCloseTo(1, 12);
  });

  it.each(HOLIDAYS)('%s is measured relative to the mean of the calendar month', (name) => {
    for (let month = 1; month <= 12; month++) {
      let sum = 0;
      for (let year = 1955; year < 2039; year++) sum += holidayExcess(name, monthNumber(year, month));
      expect(sum).toBeCloseTo(0, 9);
    }
  });

  it('is known for any year', () => {
    for (const name of HOLIDAYS)
      for (const month of ['0001-04', '1850-04', '2300-04'])
        expect(Math.abs(holidayExcess(name, parseMonth(month)))).toBeLessThan(1.01);
  });
});
