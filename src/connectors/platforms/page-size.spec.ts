import { describe, expect, it } from '@jest/globals';
import { pageSize } from './page-size.js';

describe('the page size', () => {
  it('is halved after each consecutive failure, down to the smallest that still makes progress', () => {
    expect([0, 1, 2, 3, 4, 5].map((faults) => pageSize(250, { faults }))).toEqual([250, 125, 62, 31, 20, 20]);
    expect(pageSize(100, {})).toBe(100);
  });
});
