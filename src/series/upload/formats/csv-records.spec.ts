import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvRecords } from './csv-records.js';

/** The records of a text that arrives in pieces of these sizes. */
function read(text: string, sizes: readonly number[]): string[][] {
  const records: string[][] = [];
  const reader = new CsvRecords((fields, count) => records.push(fields.slice(0, count)));
  let at = 0;
  for (const size of sizes) {
    reader.push(text.slice(at, at + size));
    at += size;
  }
  reader.push(text.slice(at));
  reader.end();
  return records;
}

const quoted = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
const field = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r', '日') });
const record = fc.array(field, { minLength: 2, maxLength: 4 });

describe('CsvRecords', () => {
  it('reads back what was written, however the text is split into pieces', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
    const breaks = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), sizes, breaks, fc.boolean(), (records, pieces, feed, closed) => {
        const text = records.map((fields) => fields.map(quoted).join(',')).join(feed) + (closed ? feed : '');
        expect(read(text, pieces)).toEqual(records);
      }),
      { seed: 1 },
    );
  });

  it('reads lines without a delimiter, or before the first quote, in linear time', () => {
    const begun = performance.now();
    const lines = 700_000;
    expect(read('a\n'.repeat(lines), [])).toHaveLength(lines);
    expect(read(`${'a,b\n'.repeat(lines)}"c",d\n`, [])).toHaveLength(lines + 1);
    expect(performance.now() - begun).toBeLessThan(20_000); // a second; a minute if every line searches the rest of the text
  });

  it('reports the physical line on which a record starts', () => {
    const lines: number[] = [];
    const reader = new CsvRecords((_fields, _count, line) => lines.push(line));
    reader.push('a,b\n"x\n\ny",1\n\nc,d');
    reader.end();
    expect(lines).toEqual([1, 2, 6]);
  });
});
