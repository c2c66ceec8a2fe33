import { describe, expect, it } from '@jest/globals';
import { renderReport } from './table.js';

describe('the report of a benchmark as text', () => {
  it('has records of plain values as rows of one table, with a column for whatever any of them measured', () => {
    expect(renderReport({ engine: { fit: { ms: 1.23456, rows: 10 }, pool: { ms: 2 } } })).toBe(
      'engine\n      ms     rows\nfit   1.235  10\npool  2\n',
    );
  });

  it('has plain values under the name of what they are about', () => {
    expect(renderReport({ size: { topics: 2, replies: 3 }, seconds: 4 })).toBe(
      'size\ntopics: 2\nreplies: 3\n\nseconds: 4',
    );
  });

  it('has a section for each record where a table of all would be too wide', () => {
    const wide = Array.from({ length: 40 }, () => 'figure').join(' ');
    expect(renderReport({ measured: { run: { share: 0.5 }, memory: { peaks: wide } } })).toBe(
      `measured / run\nshare: 0.5000\n\nmeasured / memory\npeaks: ${wide}\n`,
    );
  });
});
