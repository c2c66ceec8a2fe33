import { describe, expect, it } from '@jest/globals';
import { dispersionWithin, expectedShare } from './expected-share.js';
import { poolShareCurves } from './pooled-share-curve.js';
import { Recurrence } from './recurrence.js';
import { shareCurve } from './share-curve.js';
import { dailyMonths, dailyOrders, JUNE } from '../testing/daily-demand.js';

describe('dispersionWithin', () => {
  const pool = poolShareCurves(Array.from({ length: 10 }, (_, i) => shareCurve(dailyOrders(24, 8, 2, i + 1))))!;

  it('is the typical one of the workspace scaled to the month, or the fallback without a workspace', () => {
    expect(dispersionWithin({ pool }, 500, 7)).toBeCloseTo(500 * pool.relativeDispersion, 12);
    expect(dispersionWithin({}, 500, 7)).toBe(7);
    expect(dispersionWithin({ pool: poolShareCurves([shareCurve(dailyMonths(1, () => 1))]) }, 500, 7)).toBe(7);
  });

  it('lies half way, on a logarithmic scale, between that and the one from three months of the series', () => {
    // Equal days have almost none; a hundredth of the usual one replaces it.
    const even = shareCurve(dailyMonths(3, () => 5));
    expect(dispersionWithin({ own: even }, 500, 7)).toBeCloseTo(0.7, 6);
    const lumpy = dispersionWithin({ own: shareCurve(dailyOrders(3, 60, 0.3, 5)), pool }, 500, 7);
    expect(lumpy).toBeGreaterThan(500 * pool.relativeDispersion);
    expect(lumpy).toBeLessThan(60);
  });
});

describe('expectedShare', () => {
  /** Eight years in which every June sold only on the days of `onDay`, and other months evenly. */
  const junes = (onDay: (day: number) => boolean) =>
    poolShareCurves([
      shareCurve(dailyMonths(96, (d, _, month) => (month % 12 === JUNE % 12 ? 300 * Number(onDay(d)) : 10))),
    ]);

  it('is 0 before the month and 1 after it, whatever is known about it', () => {
    const pool = junes((day) => day === 29);
    const own = shareCurve(dailyOrders(24, 3, 2, 7));
    for (const buildUp of [{}, { pool }, { own }, { own, pool }]) {
      expect([0, 1].map((elapsed) => expectedShare(buildUp, JUNE, elapsed))).toEqual([0, 1]);
    }
  });

  it('limits recurrence to half of what is usually sold by now, or of what is usually still to come', () => {
    const [last, first] = [junes((day) => day === 29), junes((day) => day === 0)];
    const usual = (pool: typeof last) => expectedShare({ pool }, JUNE + 1, 15.5 / 31);
    expect(expectedShare({ pool: last }, JUNE, 0.5) / usual(last)).toBeCloseTo(0.5, 1);
    expect((1 - expectedShare({ pool: first }, JUNE, 0.5)) / (1 - usual(first))).toBeCloseTo(0.5, 1);
  });

  it('interpolates recurrence linearly between the quarters of the month', () => {
    const pool = junes((day) => day >= 3);
    const bare = { ...pool!, recurrence: new Recurrence([]) };
    const added = (elapsed: number) =>
      expectedShare({ pool }, JUNE, elapsed) - expectedShare({ pool: bare }, JUNE, elapsed);
    expect(added(0.25)).toBeLessThan(-0.01);
    expect(added(0.125)).toBeCloseTo(added(0.25) / 2, 9);
    expect(added(0.625)).toBeCloseTo((added(0.5) + added(0.75)) / 2, 9);
    expect(added(0.875)).toBeCloseTo(added(0.75) / 2, 9);
  });
});
