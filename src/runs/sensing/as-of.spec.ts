import { describe, expect, it } from '@jest/globals';
import { asOf } from './as-of.js';

const NOVEMBER = { month: 24_322, today: 21, dayElapsed: 0.5, daysInMonth: 30 };

describe('asOf', () => {
  it('counts up to the last day with demand, whole', () => {
    expect(asOf({ ...NOVEMBER, lastDay: 18 }, true)).toEqual({ day: 18, elapsed: 18 / 30 });
  });

  it('counts of today what is over', () => {
    expect(asOf({ ...NOVEMBER, lastDay: 21 }, true)).toEqual({ day: 21, elapsed: 20.5 / 30 });
  });

  it('takes a month that is one figure as of now', () => {
    expect(asOf({ ...NOVEMBER, lastDay: 1 }, false)).toEqual({ day: 21, elapsed: 20.5 / 30 });
  });

  it('knows nothing where nothing is on record', () => {
    expect(asOf({ ...NOVEMBER, lastDay: null }, true)).toEqual({ day: null, elapsed: 0 });
  });
});
