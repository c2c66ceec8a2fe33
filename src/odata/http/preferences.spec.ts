import { describe, expect, it } from '@jest/globals';
import { maxPageSize } from './preferences.js';

describe('the page size', () => {
  it.each([undefined, '', 'respond-async', 'odata.maxpagesize=0', 'xmaxpagesize=7'])(
    'is 5,000 rows for Prefer: %s, and none was applied',
    (prefer) => {
      expect(maxPageSize(prefer)).toEqual({ rows: 5_000 });
    },
  );

  it.each([
    ['odata.maxpagesize=7', 7],
    ['maxpagesize="7"', 7],
    ['respond-async;odata.maxpagesize = 7,wait=1', 7],
    ['odata.maxpagesize=10000', 10_000],
    ['odata.maxpagesize=10001', 10_000],
  ])('for Prefer: %s is %d', (prefer, rows) => {
    expect(maxPageSize(prefer)).toEqual({ rows, applied: `odata.maxpagesize=${rows}` });
  });
});
