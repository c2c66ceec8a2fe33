import { describe, expect, it } from '@jest/globals';
import { decimalsOf, decimalSum, toDecimals, withoutTail } from './decimals.js';

describe('decimals', () => {
  it.each([
    [0.1 + 0.2, 0.3],
    [204.5 * 1.1, 224.95],
    [-(0.1 + 0.7), -0.8],
    [12_345_678, 12_345_678],
    [123_456_789_012_345, 123_456_789_012_345],
    [1e300, 1e300],
    [0, 0],
    [NaN, NaN],
  ])('without rounding noise: %d becomes %d', (value, told) => {
    expect(withoutTail(value)).toBe(told);
  });

  it('of a difference end where those of its operands do', () => {
    expect(4.35 - 4.25).not.toBe(0.1);
    expect(withoutTail(1_004.35 - 1_004.25, 1_004.35)).toBe(0.1);
    expect(withoutTail(1e6 + 0.1 - 1e6 - 0.1, 1e6)).toBe(0);
  });

  it.each([
    [204.5, 7, 4],
    [9.99, 7, 6],
    [0.001, 7, 9],
    [12_345_678, 7, 0],
    [1e-30, 7, 22],
    [0, 7, 22],
  ])('for a size of %d and %d significant digits are %d', (size, digits, decimals) => {
    expect(decimalsOf(size, digits)).toBe(decimals);
  });

  it('of a sum end where those of its terms do', () => {
    expect(decimalSum([0.1, 0.2, -0.3])).toBe(0);
    expect(decimalSum([12.1, 0.2])).toBe(12.3);
    expect(decimalSum([])).toBe(0);
    expect(decimalSum([123_456_789.123456])).toBe(123_456_789.123456);
    expect(decimalSum([1 / 3])).toBe(1 / 3);
  });

  it('are rounded to the nearest', () => {
    expect([toDecimals(1.23456, 2), toDecimals(-1.235, 1), toDecimals(7.5, 0)]).toEqual([1.23, -1.2, 8]);
  });
});
