import { describe, expect, it } from '@jest/globals';
import { pageSize } from './page-size.js';

describe('the size of a page', () => {
  it('is halved by each fault in a row, down to what still makes headway', () => {
    expect([0, 1, 2, 3, 4, 5].map((faults) => pageSize(250, { faults }))).toEqual([250, 125, 62, 31, 20, 20]);
    expect(pageSize(100, {})).toBe(100);
  });
});
