import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../numeric/random.js';
import { boundLastMonth } from './bounded-last-month.js';

/** `months` months between 80 and 120, then `last`. */
function steadyThen(last: number, months = 40): Float64Array {
  const random = createRandom(3);
  return Float64Array.from({ length: months + 1 }, (_, t) => (t < months ? 80 + 40 * random() : last));
}

/** The bounded history without a season to remove, in logarithms when `adjustCalendar` would choose them. */
const bounded = (values: Float64Array): Float64Array =>
  boundLastMonth(values, { adjusted: values, logarithmic: !values.some((value) => value <= 0) });
const lastOf = (values: Float64Array): number => values.findLast((value) => !Number.isNaN(value))!;

describe('the bounded last month', () => {
  it.each([60, 80, 100, 120, 150])('leaves a month of %p unchanged among months of 80 to 120', (last) => {
    const values = steadyThen(last);
    expect(bounded(values)).toBe(values);
  });

  it('pulls a month of ten times the usual to about twice that, and leaves others unchanged', () => {
    const values = steadyThen(1000);
    const result = bounded(values);
    expect(lastOf(result)).toBeGreaterThan(170);
    expect(lastOf(result)).toBeLessThan(240);
    expect(result.subarray(0, 40)).toEqual(values.subarray(0, 40));
    expect(lastOf(values)).toBe(1000);
  });

  it('gives the more extreme of two months no more weight than the other', () => {
    expect(lastOf(bounded(steadyThen(1e6)))).toBeCloseTo(lastOf(bounded(steadyThen(1000))), 6);
  });

  it('pulls a month of a tenth, or of nothing, to about half of the usual', () => {
    for (const last of [10, 0]) {
      expect(lastOf(bounded(steadyThen(last)))).toBeGreaterThan(35);
      expect(lastOf(bounded(steadyThen(last)))).toBeLessThan(60);
    }
  });

  it.each([Number.MIN_VALUE, Number.MAX_VALUE])('pulls a month of %p to a number near the others', (last) => {
    const drawn = lastOf(bounded(steadyThen(last)));
    expect(drawn).toBeGreaterThan(35);
    expect(drawn).toBeLessThan(240);
  });

  it('is the same at any scale', () => {
    for (const scale of [1e-12, 1e12]) {
      const scaled = steadyThen(1000).map((value) => value * scale);
      expect(lastOf(bounded(scaled)) / scale).toBeCloseTo(lastOf(bounded(steadyThen(1000))), 6);
    }
  });

  it('bounds the last observed month', () => {
    const values = Float64Array.of(...steadyThen(1000), NaN, NaN);
    const result = bounded(values);
    expect(result[40]).toBeLessThan(240);
    expect([result[41], result[42]]).toEqual([NaN, NaN]);
  });

  it('limits it to double or half of the usual when a month without demand rules out logarithms', () => {
    const since = (last: number) => Float64Array.of(0, ...new Array<number>(39).fill(100), last);
    expect(lastOf(bounded(since(1000)))).toBeCloseTo(200, 0);
    expect(lastOf(bounded(since(0)))).toBeCloseTo(50, 0);
  });

  it('leaves a history with few months of demand unchanged', () => {
    const values = Float64Array.from({ length: 60 }, (_, t) => (t === 59 ? 5000 : t % 12 === 5 ? 50 : 0));
    expect(bounded(values)).toBe(values);
  });

  it('leaves a history with a similar month earlier unchanged', () => {
    const values = steadyThen(1000);
    values[30] = 900;
    expect(bounded(values)).toBe(values);
  });

  it('leaves a history unchanged that is too short to show what is usual or has just begun to sell', () => {
    for (const values of [steadyThen(1000, 13), new Float64Array(60).map((_, t) => (t < 59 ? 0 : 50))]) {
      expect(bounded(values)).toBe(values);
    }
    expect(bounded(steadyThen(1000, 14))).not.toEqual(steadyThen(1000, 14));
  });

  it('compares seasonally adjusted months', () => {
    const season = (t: number): number => (t % 12 === 11 ? 8 : 1);
    const adjusted = steadyThen(100, 47);
    const values = adjusted.map((value, t) => value * season(t));
    expect(boundLastMonth(values, { adjusted, logarithmic: true })).toBe(values);
    const odd = steadyThen(1000, 47);
    const result = boundLastMonth(
      odd.map((value, t) => value * season(t)),
      { adjusted: odd, logarithmic: true },
    );
    expect(lastOf(result) / 8).toBeCloseTo(lastOf(bounded(odd)), 6);
  });
});
