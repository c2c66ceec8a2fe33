import { describe, expect, it } from '@jest/globals';
import { adjustCalendar } from '../calendar-regression/adjustment.js';
import { estimatePrior } from '../calendar-regression/prior.js';
import { bridgeGaps } from './bridged-gaps.js';

const START = 12 * 2020;
const season = (t: number): number => (t % 12 === 11 ? 300 : 100);
/** Ten products that sell three times as much in December, and the prior of their workspace. */
const products = Array.from({ length: 10 }, (_, i) =>
  Float64Array.from({ length: 36 }, (_, t) => (1 + i) * season(t) * (1 + 0.02 * Math.sin(7 * t + i))),
);
const prior = estimatePrior(products.map((values, i) => ({ id: String(i), startMonth: START, values })));
const bridged = (values: Float64Array): Float64Array => bridgeGaps(values, adjustCalendar(values, START, prior));
const without = (values: Float64Array, ...months: number[]): Float64Array =>
  values.map((value, t) => (months.includes(t) ? NaN : value));

describe('bridgeGaps', () => {
  it('fills a missing month with the season of the workspace', () => {
    const history = without(products[0]!, 11, 12, 23);
    const closed = bridged(history);
    expect(closed[11]).toBeGreaterThan(240);
    expect(closed[12]).toBeLessThan(120);
    expect(closed[23]).toBeGreaterThan(240);
    history.forEach((value, t) => {
      if (!Number.isNaN(value)) expect(closed[t]).toBe(value);
    });
  });

  it('returns the same array for a history without gaps, and leaves missing months at either end', () => {
    expect(bridged(products[0]!)).toBe(products[0]);
    const ends = without(products[0]!, 0, 1, 34, 35);
    expect(bridged(ends)).toBe(ends);
    const both = bridged(without(products[0]!, 0, 20, 35));
    expect(both.map((value) => (Number.isNaN(value) ? 1 : 0)).reduce((sum, missing) => sum + missing, 0)).toBe(2);
    expect(both[20]).toBeGreaterThan(0);
    const nothing = new Float64Array(24).fill(NaN);
    expect(bridged(nothing)).toBe(nothing);
  });

  it('does not go below zero', () => {
    const restoreValue = (value: number): number => value - 10;
    const values = Float64Array.of(0, NaN, 4);
    expect(bridgeGaps(values, { adjusted: values, restoreValue })[1]).toBe(0);
  });
});
