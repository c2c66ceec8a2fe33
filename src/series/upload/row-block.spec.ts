import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowBlock } from './row-block.js';

describe('RowBlock', () => {
  it('orders rows by series, then day, then arrival', () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: -30_000, max: 30_000 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
        const block = new RowBlock();
        rows.forEach(([series, day], line) => block.add(series, day, line / 2, line, false));
        const expected = rows
          .map(([series, day], line) => ({ series, day, line }))
          .sort((a, b) => a.series - b.series || a.day - b.day || a.line - b.line);
        const found = [...block.sorted()].map((at) => ({
          series: block.seriesOf(at),
          day: block.dayOf(at),
          line: block.lineOf(at),
        }));
        expect(found).toEqual(expected);
      }),
      { seed: 1 },
    );
  });

  it('grows and can be reused', () => {
    const block = new RowBlock();
    for (let row = 0; row < 10_000; row++) block.add(10_000 - row, 5, row, row, false);
    const order = block.sorted();
    expect([block.quantityOf(order[0]!), block.quantityOf(order.at(-1)!)]).toEqual([9_999, 0]);
    block.clear();
    block.add(1, 2, 3, 4, false);
    expect([...block.sorted()]).toEqual([0]);
  });
});
