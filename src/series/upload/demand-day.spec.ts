import { describe, expect, it } from '@jest/globals';
import { formatDayNumber } from '../day-number.js';
import { columnOfDate, hasShortYear, intendedDate, latestDay, parseDay } from './demand-day.js';

const parsed = (text: string): string | undefined => {
  const day = parseDay(text);
  return day === undefined ? undefined : formatDayNumber(day);
};

describe('a day of demand', () => {
  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2025-12', '2025-12-01'],
    ['1899-12-31', '1899-12-31'],
    ['2025-03-31 00:00', '2025-03-31'],
    ['2025-03-31T00:00:00.000Z', '2025-03-31'],
    ['2025-03-31T00:00:00+00:00', '2025-03-31'],
  ])('is read from %s', (text, day) => {
    expect(parsed(text)).toBe(day);
  });

  it.each(['2025-02-29', '2025-04-31', '2025-01-00', '2025-00-01', '2025-00', '2025-13', '2025-13-01', '0000-01-01'])(
    'is not %s, which is no calendar date',
    (text) => {
      expect(parsed(text)).toBeUndefined();
    },
  );

  it.each(['0026-01-15', '0099-12'])('is not %s, a year of the first century', (text) => {
    expect(parsed(text)).toBeUndefined();
  });

  it.each([
    '2025-03-31 00:01',
    '2025-03-31T00:00:00+02:00',
    '2025-03-31Z',
    ' 2025-03-31',
    '2025-03-31x',
    '12025-03-31',
  ])('is not %j', (text) => {
    expect(parsed(text)).toBeUndefined();
  });

  it('is at the latest the last of the month in progress where the day begins first', () => {
    expect(formatDayNumber(latestDay(new Date('2026-11-30T09:59:59Z')))).toBe('2026-11-30');
    expect(formatDayNumber(latestDay(new Date('2026-11-30T10:00:00Z')))).toBe('2026-12-31');
  });
});

describe('the date meant by another notation', () => {
  it.each([
    ['31.3.2025', '2025-03-31'],
    ['2025/3/1', '2025-03-01'],
    ['20250331', '2025-03-31'],
    ['3/31/2025', '2025-03-31'],
    ['31/03/2025', '2025-03-31'],
    ['3/2025', '2025-03'],
    ['2025.3', '2025-03'],
    ['202511', '2025-11'],
    ['45747', '2025-03-31'],
    ['Jan 2025', '2025-01'],
    ['MARCH-2025', '2025-03'],
    ['Sept. 2025', '2025-09'],
    ['31-Mar-2025', '2025-03-31'],
    ['1. May 2025', '2025-05-01'],
  ])('of %s is %s', (text, day) => {
    expect(intendedDate(text)).toBe(day);
  });

  it.each([
    '3/4/2025',
    '131/03/2025',
    '32.1.2025',
    '31.3.2025x',
    'x31.3.2025',
    '120250331',
    '202503310',
    '201211',
    '13/2025',
    '145747',
    '29999',
    '70000',
    'Ja 2025',
    'Mai 2025',
    'Januaryx 2025',
    '31 Feb 2025',
    'Jan 25',
  ])('of %s is unclear', (text) => {
    expect(intendedDate(text)).toBeUndefined();
  });

  it.each([
    '2025-01',
    '2025-01-31',
    ' 2025-01-01 00:00:00',
    '2025-01-01T00:00:00.000Z',
    '1/2025',
    '45747',
    'Jan 2025',
    'Jan-25',
    "Sep '25",
    'dec.25',
    '01/25',
    '31.12.25',
    '2025',
    '2025-Q1',
    '2025W05',
    '2025M01',
    '25-Jan',
    '2025 Jan.',
    'Q1 2025',
    'KW 5/25',
  ])('is that of a column named %s', (name) => {
    expect(columnOfDate(['unit', name])).toBe(name);
  });

  it.each([
    'May',
    'unit',
    'Custom 01',
    'Size 12',
    'Q1',
    'week 12',
    '1500',
    'color2',
    '2',
    'w-12',
    '12 %',
    'Lead time 2025',
    '4006381333931',
  ])('is not that of a column named %s', (name) => {
    expect(columnOfDate(['unit', name])).toBeUndefined();
  });

  it('is that of two columns named after months alone, since one may be a name like any other', () => {
    expect(columnOfDate(['unit', 'Jan', 'February'])).toBe('Jan');
    expect(columnOfDate(['May', 'Mary', 'Ma', 'Octo!'])).toBeUndefined();
  });

  it.each(['31.3.25', '3/25', "Mar '25", '1-Mar-25', 'März 25'])('of %s has a short year', (text) => {
    expect(hasShortYear(text)).toBe(true);
  });

  it.each(['31.3.2025', '31.3/25', '131.3.25', 'March', 'KW 12 25'])('of %s has none', (text) => {
    expect(hasShortYear(text)).toBe(false);
  });
});
