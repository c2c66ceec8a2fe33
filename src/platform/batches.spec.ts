import { describe, expect, it } from '@jest/globals';
import { inBatches } from './batches.js';

describe('a list in batches', () => {
  it('is all of it, once and in its order', () => {
    expect(inBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(inBatches([1, 2], 2)).toEqual([[1, 2]]);
    expect(inBatches([], 2)).toEqual([]);
  });
});
