import { describe, expect, it } from '@jest/globals';
import { wholePercents } from './whole-percents.js';

describe('shares in whole percent', () => {
  it.each([
    [
      [0.335, 0.335, 0.33],
      [34, 33, 33],
    ],
    [
      [0.626, 0.287, 0.087],
      [62, 29, 9],
    ],
    [
      [1 / 3, 1 / 3, 1 / 3],
      [34, 33, 33],
    ],
    [
      [0.004, 0.996],
      [0, 100],
    ],
    [
      [0.1 + 0.2, 0.7 - 1e-16, 0],
      [30, 70, 0],
    ],
    [[1], [100]],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  ])('of %j are %j, which add up', (shares, percents) => {
    expect(wholePercents(shares)).toEqual(percents);
  });
});
