import { describe, expect, it } from '@jest/globals';
import { median, sampleQuantile } from './sample-quantile.js';

describe('sample quantiles', () => {
  it('interpolate like type 7 of Hyndman and Fan', () => {
    // R: quantile(c(1, 2, 4, 8), c(.1, .5, .9), type = 7)
    expect(sampleQuantile([8, 1, 4, 2], 0.1)).toBeCloseTo(1.3, 12);
    expect(median([8, 1, 4, 2])).toBe(3);
    expect(sampleQuantile([8, 1, 4, 2], 0.9)).toBeCloseTo(6.8, 12);
    expect([0, 1].map((level) => sampleQuantile([8, 1, 4, 2], level))).toEqual([1, 8]);
    expect(median([])).toBeNaN();
  });
});
