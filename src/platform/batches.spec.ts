import { describe, expect, it } from '@jest/globals';
import { inBatches } from './batches.js';

describe('inBatches', () => {
  it('contains every element once, in order', () => {
    expect(inBatches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(inBatches([1, 2], 2)).toEqual([[1, 2]]);
    expect(inBatches([], 2)).toEqual([]);
  });
});
