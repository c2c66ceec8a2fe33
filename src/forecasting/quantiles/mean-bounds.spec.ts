import { describe, expect, it } from '@jest/globals';
import { boundMean, meanLowerBound } from './mean-bounds.js';

/** Two months, with quantiles from -2 to 6 and from 10 to 90. */
const quantiles = Float64Array.of(-2, -1, 0, 1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60, 70, 80, 90);

describe('meanLowerBound', () => {
  it('is a tenth of the sum of the positive quantiles', () => {
    expect(meanLowerBound(quantiles, 0)).toBeCloseTo(2.1, 12);
    expect(meanLowerBound(quantiles, 1)).toBeCloseTo(45, 12);
  });
});

describe('boundMean', () => {
  it.each([
    [3, 50, 3, 50],
    [100, 1000, 4, 70],
    [-5, 5, 0, 30],
  ])('clamps means of %d and %d between the quantiles of .3 and .7: %d and %d', (first, second, low, high) => {
    const mean = Float64Array.of(first, second);
    boundMean({ mean, quantiles });
    expect([...mean]).toEqual([low, high]);
  });
});
