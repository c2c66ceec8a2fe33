import { describe, expect, it } from '@jest/globals';
import { demandOverLikely, likelyLeadTimes } from './uncertain-lead-time.js';

const averageOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviationOf = (values: readonly number[]): number =>
  Math.sqrt(averageOf(values.map((value) => (value - averageOf(values)) ** 2)));

describe('likelyLeadTimes', () => {
  it.each([0.1, 0.5, 1, 3])('have a mean of three months, and a standard deviation of nearly %d', (sd) => {
    const months = likelyLeadTimes(3, sd, 30);
    expect(averageOf(months)).toBeCloseTo(3, 9);
    expect(deviationOf(months) / sd).toBeGreaterThan(0.97);
    expect(deviationOf(months) / sd).toBeLessThan(1);
    expect(months).toEqual([...months].sort((a, b) => a - b));
    expect(months[0]).toBeGreaterThan(0);
  });

  it('are the mean where they do not vary', () => {
    expect(likelyLeadTimes(1.5, 0, 6)).toEqual([1.5]);
  });

  it.each([
    [1, 1e-200],
    [1, 5e-324],
    [5e-324, 5e-324],
    [1e-6, 9e-7],
  ])('are the mean of %d where the deviation is nothing in practice, as %d is', (mean, sd) => {
    expect(likelyLeadTimes(mean, sd, 6)).toEqual([mean]);
  });

  it('keep their mean where a few are longer than the horizon', () => {
    const months = likelyLeadTimes(2, 2, 6);
    expect(months.filter((each) => each > 6)).toHaveLength(3);
    expect(averageOf(months)).toBeCloseTo(2, 9);
  });

  it.each([
    [2, -0.1, 12],
    [2, 2.1, 12],
    [10, 1.1, 12],
    [2, NaN, 12],
  ])('of a mean of %d and a deviation of %d within %d months are refused', (mean, sd, horizon) => {
    expect(() => likelyLeadTimes(mean, sd, horizon)).toThrow(/^lead_time_sd: /);
  });

  it.each([
    [2, 2, 6],
    [10, 1, 12],
    [5.4, 0.3, 6],
    [11.4, 0.3, 12],
  ])('of a mean of %d and a deviation of %d within %d months are the most', (mean, sd, horizon) => {
    expect(likelyLeadTimes(mean, sd, horizon)).toHaveLength(64);
  });
});

describe('demandOverLikely', () => {
  it('adds the variance of the means to that within', () => {
    const { mean, sigma } = demandOverLikely([
      { mean: 100, sigma: 6 },
      { mean: 140, sigma: 8 },
    ]);
    expect(mean).toBe(120);
    expect(sigma).toBeCloseTo(Math.sqrt(50 + 400), 9);
  });
});
