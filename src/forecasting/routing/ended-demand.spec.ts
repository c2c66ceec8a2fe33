import { describe, expect, it } from '@jest/globals';
import { monthsSinceEnd } from './ended-demand.js';

const since = (...values: number[]): number => monthsSinceEnd(Float64Array.from(values));

describe('monthsSinceEnd', () => {
  it.each([
    ['demand of every month', 3, [9, 8, 9, 9, 0, 0, 0]],
    ['demand of an item listed late', 2, [0, 0, 0, 0, 0, 8, 9, 8, 9, 0, 0]],
    ['months missing meanwhile', 2, [9, 8, 9, 9, 0, NaN, 0]],
    ['returns after the last demand', 2, [9, 8, 9, 9, -3, 0]],
    ['a longer end than an earlier pause', 3, [9, 8, 9, 9, 0, 9, 8, 9, 0, 0, 0]],
  ])('counts the observed months since the end of %s', (_, months, values) => {
    expect(since(...values)).toBe(months);
  });

  it.each([
    ['demand that goes on', [9, 8, 0, 9]],
    ['a pause as there was before', [9, 8, 9, 9, 9, 0, 0, 9, 8, 9, 9, 0, 0]],
    ['rare orders', [3, 0, 0, 3, 0, 3, 0, 0, 3, 0, 0, 0]],
    ['no demand ever', [0, 0, 0]],
    ['no history', []],
  ])('finds no end in %s', (_, values) => {
    expect(since(...values)).toBe(0);
  });
});
