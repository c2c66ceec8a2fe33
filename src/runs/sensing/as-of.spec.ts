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
  it('counts whole days up to the last one with demand', () => {
    expect(asOf({ ...NOVEMBER, lastDay: 18 }, 'days')).toEqual({ day: 18, elapsed: 18 / 30 });
  });

  it('counts today by the part that has elapsed', () => {
    expect(asOf({ ...NOVEMBER, lastDay: 21 }, 'days')).toEqual({
      day: 21,
      elapsed: 20.5 / 30,
      today: { begins: 20 / 30, ends: 21 / 30 },
    });
  });

  it('is the current time for a month given as one figure', () => {
    expect(asOf({ ...NOVEMBER, lastDay: null }, 'figure')).toEqual({ day: 21, elapsed: 20.5 / 30 });
  });

  it('is undefined without any records', () => {
    expect(asOf({ ...NOVEMBER, lastDay: null }, 'days')).toEqual({ day: null, elapsed: 0 });
    expect(asOf({ ...NOVEMBER, lastDay: 18 }, 'none')).toEqual({ day: null, elapsed: 0 });
  });
});

describe('storedAs', () => {
  it('treats rows after the first day as daily demand, with or without daily months before', () => {
    expect(storedAs(daysOf({ 1: 4, 2: 0 }), undefined, MONTH)).toBe('days');
  });

  it('treats a lone value on the first day as the monthly figure unless the series sells daily', () => {
    expect(storedAs(daysOf({ 1: 40 }), undefined, MONTH)).toBe('figure');
    expect(storedAs(daysOf({ 1: 40 }), sellingUntil(MONTH - 1), MONTH)).toBe('days');
  });

  it('treats a monthly row as the monthly figure, whatever the series did before', () => {
    expect(storedAs({ ...daysOf({ 1: 40 }), isFigure: true }, sellingUntil(MONTH - 1), MONTH)).toBe('figure');
  });

  it('treats missing rows as zero demand only if the series sold daily recently', () => {
    expect(storedAs(undefined, undefined, MONTH)).toBe('none');
    expect(storedAs(undefined, sellingUntil(MONTH - 3), MONTH)).toBe('days');
    expect(storedAs(undefined, sellingUntil(MONTH - 4), MONTH)).toBe('none');
  });
});
