import { describe, expect, it } from '@jest/globals';
import { keptShare, shareCurve } from './share-curve.js';
import { dailyMonths, JUNE } from '../testing/daily-demand.js';

describe('shareCurve', () => {
  it('counts returns and missing days as no demand', () => {
    const gaps = shareCurve(dailyMonths(3, (d) => (d === 4 ? -50 : d === 9 ? NaN : 2)));
    const none = shareCurve(dailyMonths(3, (d) => (d === 4 || d === 9 ? 0 : 2)));
    const alike = none.months.map((month, k) => ({ ...month, kept: gaps.months[k]!.kept }));
    expect(gaps).toEqual({ ...none, months: alike });
  });

  it('measures the share of demand that was not returned, counting months of net returns as none', () => {
    const returning = dailyMonths(4, (d, _, month) =>
      d === 4 ? (month === JUNE - 1 ? -1000 : -15) : d < 24 ? 2 : NaN,
    );
    expect(keptShare(shareCurve(returning))).toBeCloseTo((3 * (46 - 15)) / (4 * 46), 12);
    expect(keptShare(shareCurve(dailyMonths(4, () => 2)))).toBe(1);
    expect([keptShare(shareCurve([])), keptShare(undefined)]).toEqual([1, 1]);
  });

  it('skips months without demand, and is even when there is none', () => {
    const curve = shareCurve(dailyMonths(4, (d, _, month) => (month === JUNE - 2 ? 0 : d)));
    expect(curve.months.map(({ month }) => month)).toEqual([JUNE - 4, JUNE - 3, JUNE - 1]);
    const none = shareCurve(dailyMonths(4, () => 0));
    expect(none.months).toEqual([]);
    expect(none.cumulative[31]).toBe(1);
    expect(none.weekdays).toEqual(new Array<number>(7).fill(1));
  });

  it('has the mean demand of each weekday relative to that of all days', () => {
    // March, April and May 2024 have five, four and four Sundays: days count equally, not months.
    const { weekdays } = shareCurve(dailyMonths(3, (_, weekday, month) => (weekday === 0 ? month - JUNE + 4 : 1)));
    const sundays = (5 * 1 + 4 * 2 + 4 * 3) / 13;
    const all = (92 - 13 + 5 * 1 + 4 * 2 + 4 * 3) / 92;
    expect(weekdays[0]).toBeCloseTo(sundays / all, 12);
    expect(weekdays[3]).toBeCloseTo(1 / all, 12);
  });

  it('spreads the demand of a day over its length', () => {
    const april = shareCurve(dailyMonths(2, (d, _, month) => Number(month === JUNE - 2 && d === 0)));
    expect(april.cumulative[1]).toBeCloseTo(30 / 31, 12);
    // After a quarter of 31 days the eighth is three quarters over; its weekday occurs five times, starting with the first day.
    const may = shareCurve(dailyMonths(1, (d) => Number(d === 7)));
    expect(may.months[0]!.excess[0]).toBeCloseTo(0.75 - 1.75 / 5, 12);
  });

  it('weights months by their demand', () => {
    const curve = shareCurve(
      dailyMonths(2, (d, _, month) => (month === JUNE - 1 ? 30 * Number(d === 0) : Number(d === 29))),
    );
    expect(curve.cumulative[16]).toBeCloseTo(30 / 31, 12);
    expect(curve.months.map(({ total }) => total)).toEqual([1, 30]);
  });
});
