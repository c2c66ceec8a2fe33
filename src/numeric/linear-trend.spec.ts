import { describe, expect, it } from '@jest/globals';
import { linearTrend } from './linear-trend.js';

describe('linearTrend', () => {
  it('skips missing months', () => {
    const { intercept, slope } = linearTrend(Float64Array.of(3, NaN, 7, 9, NaN));
    expect(slope).toBeCloseTo(2, 12);
    expect(intercept).toBeCloseTo(1, 12);
  });
});
