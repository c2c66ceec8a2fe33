import { describe, expect, it } from '@jest/globals';
import { commonDivisor } from './common-divisor.js';

describe('commonDivisor', () => {
  it.each([
    [18, 12, 6],
    [7, 0, 7],
    [0.3, 0.5, 0.1],
    [1e9, 3e9, 1e9],
    [12, 12 + 1e-6, 12],
  ])('of %p and %p is %p, up to rounding errors', (a, b, expected) => {
    expect(commonDivisor(a, b, Math.max(a, b)) / expected).toBeCloseTo(1, 6);
    expect(commonDivisor(b, a, Math.max(a, b)) / expected).toBeCloseTo(1, 6);
  });
});
