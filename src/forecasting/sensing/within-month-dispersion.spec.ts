import { describe, expect, it } from '@jest/globals';
import { EVEN_CURVE, EVEN_WEEK } from './month-profile.js';
import { Recurrence } from './recurrence.js';
import type { MonthRecord, ShareCurve } from './share-curve.js';
import { ownDispersion } from './within-month-dispersion.js';

const curveOf = (months: readonly MonthRecord[]): ShareCurve => ({
  months,
  cumulative: EVEN_CURVE,
  weekdays: EVEN_WEEK,
});
const even = (weight: number) => ({ weight, cumulative: EVEN_CURVE });

describe('ownDispersion', () => {
  const two = curveOf([
    { month: 1, total: 10, kept: 10, firstDay: 0, excess: [0.25, 0.5, 0.25] },
    { month: 2, total: 20, kept: 20, firstDay: 0, excess: [0, -0.5, 0] },
  ]);

  it('is the variance of demand so far over that of independent orders: (37.5 + 100) / (30 (3/16 + 1/4 + 3/16))', () => {
    expect(ownDispersion(two, even(0), undefined)).toBeCloseTo(137.5 / 18.75, 12);
  });

  it('is larger the more the curve was fitted to these months', () => {
    expect(ownDispersion(two, even(0.5), undefined)).toBeCloseTo((137.5 / 18.75) * (2.5 / 1.5), 12);
  });

  it('is unknown for a single month', () => {
    expect(ownDispersion(curveOf(two.months.slice(1)), even(0), undefined)).toBeNaN();
  });

  describe('when months are known to recur', () => {
    /** Even-numbered months are `excess` above evenly spread sales at each quarter, odd-numbered ones below. */
    const months = (count: number, excess: number) =>
      Array.from({ length: count }, (_, month) => {
        const value = month % 2 ? -excess : excess;
        return { month, total: 10, kept: 10, firstDay: 0, excess: [value, value, value] };
      });
    const recurrence = new Recurrence(months(24, 0.1));

    /** Expected dispersion of months of demand 10, alternately `excess` above and below, with the quarter shares given by `shareOf`. */
    const expected = (excess: number, shareOf: (at: number, shown: number) => number): number => {
      const pairs = [0.25, 0.5, 0.75].flatMap((at) => [-excess, excess].map((shown) => [at, shown] as const));
      const sum = (of: (at: number, shown: number, p: number) => number) =>
        pairs.reduce((total, [at, shown]) => total + of(at, shown, shareOf(at, shown)), 0);
      return sum((at, shown, p) => (10 * (at + shown - p)) ** 2) / sum((_at, _shown, p) => 10 * p * (1 - p));
    };

    it('measures what recurrence leaves unexplained', () => {
      const known = curveOf(months(24, 0.1).slice(12));
      const dispersion = expected(0.1, (at, shown) => at + recurrence.strength * shown);
      expect(ownDispersion(known, even(0), recurrence)).toBeCloseTo(dispersion, 9);
    });

    it('ignores months without a counterpart a year before once twelve months have one', () => {
      const of = (from: number, to: number) => ownDispersion(curveOf(months(to, 0.1).slice(from)), even(0), recurrence);
      expect(of(0, 24)).toBe(of(12, 24));
      expect(of(0, 23)).not.toBe(of(12, 23));
    });

    it('limits shares to between zero and one', () => {
      const strong = new Recurrence(months(24, 0.6));
      const shareOf = (at: number, shown: number) => Math.min(Math.max(at + strong.strength * shown, 0), 1);
      expect(ownDispersion(curveOf(months(24, 0.6)), even(0), strong)).toBeCloseTo(expected(0.6, shareOf), 9);
    });
  });
});
