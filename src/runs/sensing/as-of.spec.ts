import { describe, expect, it } from '@jest/globals';
import { shareCurve } from '../../forecasting/index.js';
import { asOf, storedAs } from './as-of.js';

const MONTH = 24_322;
const NOVEMBER = { month: MONTH, today: 21, dayElapsed: 0.5, daysInMonth: 30 };
const NONE = Array.from({ length: 30 }, () => NaN);
const daysOf = (given: Record<number, number>) => ({
  isFigure: false,
  values: Float64Array.from(NONE, (_, index) => given[index + 1] ?? NaN),
});
const sellingUntil = (month: number) => shareCurve([{ month, days: Array.from({ length: 30 }, () => 2) }]);

describe('asOf', () => {
  it('counts up to the last day with demand, whole', () => {
    expect(asOf({ ...NOVEMBER, lastDay: 18 }, 'days')).toEqual({ day: 18, elapsed: 18 / 30 });
  });

  it('counts of today what is over', () => {
    expect(asOf({ ...NOVEMBER, lastDay: 21 }, 'days')).toEqual({
      day: 21,
      elapsed: 20.5 / 30,
      today: { begins: 20 / 30, ends: 21 / 30 },
    });
  });

  it('takes a month that is one figure as of now', () => {
    expect(asOf({ ...NOVEMBER, lastDay: null }, 'figure')).toEqual({ day: 21, elapsed: 20.5 / 30 });
  });

  it('knows nothing where nothing is on record', () => {
    expect(asOf({ ...NOVEMBER, lastDay: null }, 'days')).toEqual({ day: null, elapsed: 0 });
    expect(asOf({ ...NOVEMBER, lastDay: 18 }, 'none')).toEqual({ day: null, elapsed: 0 });
  });
});

describe('storedAs', () => {
  it('takes rows after the first day for days, with or without daily months before', () => {
    expect(storedAs(daysOf({ 1: 4, 2: 0 }), undefined, MONTH)).toBe('days');
  });

  it('takes a value on the first day alone for the figure of the month, unless the series sells by days', () => {
    expect(storedAs(daysOf({ 1: 40 }), undefined, MONTH)).toBe('figure');
    expect(storedAs(daysOf({ 1: 40 }), sellingUntil(MONTH - 1), MONTH)).toBe('days');
  });

  it('takes a month row for the figure of the month, whatever the series did before', () => {
    expect(storedAs({ ...daysOf({ 1: 40 }), isFigure: true }, sellingUntil(MONTH - 1), MONTH)).toBe('figure');
  });

  it('takes silence for demand of zero only where the series sold by days lately', () => {
    expect(storedAs(undefined, undefined, MONTH)).toBe('none');
    expect(storedAs(undefined, sellingUntil(MONTH - 3), MONTH)).toBe('days');
    expect(storedAs(undefined, sellingUntil(MONTH - 4), MONTH)).toBe('none');
  });
});
