import { describe, expect, it } from '@jest/globals';
import { EVEN_CURVE, EVEN_WEEK } from './month-profile.js';
import type { ShareCurve } from './share-curve.js';
import { shrunkCurve, shrunkWeekdays } from './shrunk-profile.js';

/** Everything sold on the first day. */
const EARLY = EVEN_CURVE.map((_, k) => Number(k > 0));

/** Months with these excesses over even days at each of their quarters. */
const showing = (...excess: number[]): ShareCurve => ({
  months: excess.map((value, k) => ({ month: k, total: 1, kept: 1, firstDay: 0, excess: [value, value, value] })),
  cumulative: EARLY,
  weekdays: [7, 0, 0, 0, 0, 0, 0],
});

describe('shrunkCurve', () => {
  it('weighs the evidence of months against their noise and number: (1 - 3 .0025 / .0675) 4 / 6', () => {
    const { weight, cumulative } = shrunkCurve(showing(0.1, 0.2, 0.1, 0.2), EVEN_CURVE);
    expect(weight).toBeCloseTo((1 - 0.0075 / 0.0675) * (4 / 6), 12);
    expect(cumulative[16]).toBeCloseTo(weight + (1 - weight) * (16 / 31), 12);
  });

  it('measures the distance from the target, not from even days', () => {
    const target = EVEN_CURVE.map((share, k) => (k === 0 || k === 31 ? share : share + 0.15));
    expect(shrunkCurve(showing(0.1, 0.2, 0.1, 0.2), target)).toEqual({ weight: 0, cumulative: target });
    expect(shrunkCurve(showing(0.15, 0.15), EVEN_CURVE).weight).toBeCloseTo(2 / 4, 12);
  });

  it('is the target with fewer than two months, whose noise is unknown', () => {
    for (const own of [undefined, showing(), showing(0.3)]) {
      expect(shrunkCurve(own, EVEN_CURVE)).toEqual({ weight: 0, cumulative: EVEN_CURVE });
    }
  });
});

describe('shrunkWeekdays', () => {
  it('weighs its own months against two of the target', () => {
    expect(shrunkWeekdays(showing(0, 0, 0, 0, 0, 0), EVEN_WEEK)).toEqual([5.5, ...new Array<number>(6).fill(0.25)]);
    expect(shrunkWeekdays(showing(), EVEN_WEEK)).toEqual(EVEN_WEEK);
    expect(shrunkWeekdays(undefined, EVEN_WEEK)).toBe(EVEN_WEEK);
  });
});
