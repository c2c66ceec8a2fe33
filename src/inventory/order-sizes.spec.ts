import { describe, expect, it } from '@jest/globals';
import { orderSizesOf } from './order-sizes.js';

describe('orderSizesOf', () => {
  it('has the raw moments of the days with demand, without returns and days that have none', () => {
    expect(orderSizesOf([0, 2, -5, 4, NaN])).toEqual({ mean: 3, meanSquare: 10, meanCube: 36 });
  });

  it('has none without demand', () => {
    expect(orderSizesOf([])).toBeNull();
    expect(orderSizesOf([0, -3, NaN])).toBeNull();
  });

  it('counts bulk orders in full from the third on, and before that as ten times the median', () => {
    const days = new Array<number>(97).fill(1);
    expect(orderSizesOf([...days, 1000, 1000, 1])?.mean).toBeCloseTo((98 + 20) / 100, 12);
    expect(orderSizesOf([...days, 1000, 5000, 1000])?.mean).toBeCloseTo((97 + 3000) / 100, 12);
  });

  it('takes sizes that vary as they are', () => {
    expect(orderSizesOf([1, 9])).toEqual({ mean: 5, meanSquare: 41, meanCube: 365 });
  });
});
