import { expect, it } from '@jest/globals';
import { meanOfPositive } from './mean-of-positive.js';

it('leaves out months without demand, with more returns, or without data, and is undefined without any other', () => {
  expect(meanOfPositive(Float64Array.of(0, 3, NaN, -2, 6))).toBe(4.5);
  expect(meanOfPositive(Float64Array.of(0, NaN, -1))).toBeNaN();
});
