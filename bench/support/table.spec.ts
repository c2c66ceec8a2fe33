import { describe, expect, it } from '@jest/globals';
import { renderReport } from './table.js';

describe('a benchmark report as text', () => {
  it('shows flat records as rows of one table, with a column for every measure that any of them has', () => {
    expect(renderReport({ engine: { fit: { ms: 1.23456, rows: 10 }, pool: { ms: 2 } } })).toBe(
      'engine\n      ms     rows\nfit   1.235  10\npool  2\n',
    );
  });

  it('shows plain values under their name', () => {
    expect(renderReport({ size: { topics: 2, replies: 3 }, seconds: 4 })).toBe(
      'size\ntopics: 2\nreplies: 3\n\nseconds: 4',
    );
  });

  it('uses a section per record when a single table would be too wide', () => {
    const wide = Array.from({ length: 40 }, () => 'figure').join(' ');
    expect(renderReport({ measured: { run: { share: 0.5 }, memory: { peaks: wide } } })).toBe(
      `measured / run\nshare: 0.5000\n\nmeasured / memory\npeaks: ${wide}\n`,
    );
  });
});
