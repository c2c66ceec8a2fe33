import { describe, expect, it } from '@jest/globals';
import { monthsSinceEnd } from './ended-demand.js';

/** Months since the end of twelve months of demand followed by `values`. */
const since = (...values: number[]): number =>
  monthsSinceEnd(Float64Array.of(...new Array<number>(12).fill(8), ...values));

describe('monthsSinceEnd', () => {
  it.each([
    ['monthly demand', 3, [9, 8, 9, 9, 0, 0, 0]],
    ['demand followed by missing months', 2, [9, 8, 9, 9, 0, NaN, 0]],
    ['demand followed by returns', 2, [9, 8, 9, 9, -3, 0]],
    ['demand with an earlier, shorter pause', 3, [9, 8, 9, 9, 0, 9, 8, 9, 0, 0, 0]],
  ])('counts the observed months since the end of %s', (_, months, values) => {
    expect(since(...values)).toBe(months);
  });

  it.each([
    ['ongoing demand', [9, 8, 0, 9]],
    ['a pause like an earlier one', [9, 8, 9, 9, 9, 0, 0, 9, 8, 9, 9, 0, 0]],
    ['orders that have become rare', [0, 3, 0, 3, 0, 3, 0, 0, 3, 0, 3, 0, 0, 0]],
  ])('finds no end in %s', (_, values) => {
    expect(since(...values)).toBe(0);
  });

  it('ignores the time before an item was listed, and requires a year since', () => {
    const listed = (months: number) =>
      Float64Array.of(...new Array<number>(30).fill(0), ...new Array<number>(months).fill(8), 0, 0, 0);
    expect([11, 12].map((months) => monthsSinceEnd(listed(months)))).toEqual([0, 3]);
    expect(monthsSinceEnd(new Float64Array(20))).toBe(0);
    expect(monthsSinceEnd(new Float64Array(0))).toBe(0);
  });
});
