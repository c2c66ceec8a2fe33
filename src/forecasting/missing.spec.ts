import { describe, expect, it } from '@jest/globals';
import { interpolateMissing } from './missing.js';

describe('missing months', () => {
  it('are interpolated between neighbours and held at the ends', () => {
    expect(Array.from(interpolateMissing(Float64Array.of(NaN, 2, NaN, NaN, 8, NaN)))).toEqual([2, 2, 4, 6, 8, 8]);
    expect(Array.from(interpolateMissing(Float64Array.of(NaN)))).toEqual([NaN]);
  });
});
