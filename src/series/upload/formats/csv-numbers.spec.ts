import { describe, expect, it } from '@jest/globals';
import type { DecimalMark } from '../decimal-mark.js';
import { dayNumber } from '../../day-number.js';
import { RowCollector } from '../row-collector.js';
import { CsvRows } from './csv-rows.js';

/** The numbers read from a file with these values, one per line from line 2 on, or its rejected lines if there are any. */
function read(values: readonly string[], decimal?: DecimalMark, delimiter = ';'): readonly (number | string)[] {
  const rows = new RowCollector(dayNumber(2030, 1, 1));
  const reader = new CsvRows(rows, decimal);
  reader.push(`unique_id${delimiter}ds${delimiter}y\n`);
  for (const [at, value] of values.entries()) reader.push(`S${at}${delimiter}2026-01${delimiter}"${value}"\n`);
  reader.end();
  const faults = rows.faults.list().map(({ line, reason }) => `${line}: ${reason}`);
  return faults.length > 0 ? faults : values.map((_, row) => rows.block.quantityOf(row));
}

describe('numbers in a CSV file', () => {
  it.each<[string, readonly string[], readonly number[]]>([
    ['decimals after a point', ['1.234', '0.5', '1234'], [1.234, 0.5, 1234]],
    ['decimals after a comma', ['1,234', '-0,5', '1e3', ',5'], [1.234, -0.5, 1000, 0.5]],
    ['three decimals after more than three digits', ['1.234', '1234.500'], [1.234, 1234.5]],
    ['points in a number of several groups', ['1.234', '12.345.678', '1,5'], [1234, 12_345_678, 1.5]],
    ['a group and decimals after a comma', ['999.999', '-1.001', '1.234,5'], [999_999, -1001, 1234.5]],
    ['commas in a number of several groups', ['1,234', '12,345,678', '1.5'], [1234, 12_345_678, 1.5]],
    ['a group and decimals after a point', ['1,234', '1,234.50'], [1234, 1234.5]],
    ['points as thousands separators beside three decimals', ['1.234', '1,234', '1.234,567'], [1234, 1.234, 1234.567]],
    [
      'blanks',
      ['1 234', '12\u00a0345,5', '1\u202f234\u202f567', '1\u2009234', '1,234'],
      [1234, 12_345.5, 1_234_567, 1234, 1.234],
    ],
    ['a value with the other decimal mark', ['1.234', '0,5', '1,234'], [1234, 0.5, 1.234]],
    ['a decimal point beside commas', ['1,234', '1.5', '999.999'], [1234, 1.5, 999.999]],
    ['apostrophes', ["1'234.50", '12’345', '1.234'], [1234.5, 12_345, 1.234]],
  ])('are recognised by %s', (_name, values, expected) => {
    expect(read(values)).toEqual(expected);
    expect(read([...values].reverse())).toEqual([...expected].reverse());
    expect(read(values, undefined, '\t')).toEqual(expected);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'points alone',
      ['980', '1.234', '12.500'],
      [
        '3: "1.234" can be 1234 or 1.234, and no value in the file shows which (digits alone, such as 1500, do not): send decimal=comma for 1234, decimal=point for 1.234',
      ],
    ],
    [
      'commas alone',
      ['980', '-1,234'],
      [
        '3: "-1,234" can be -1234 or -1.234, and no value in the file shows which (digits alone, such as 1500, do not): send decimal=point for -1234, decimal=comma for -1.234',
      ],
    ],
    ['an unformatted number of four digits', ['1.234', '1500'], ['2: "1.234" can be 1234 or 1.234']],
    ['unformatted numbers of any length', ['2.125', '1034', '3', '10000'], ['2: "2.125" can be 2125 or 2.125']],
    [
      'blanks as thousands separators, which hand-typed sheets mix with points',
      ['1 234', '1.234'],
      ['3: "1.234" can be 1234 or 1.234'],
    ],
    ['both marks', ['1,234', '1.234'], ['2: "1,234" can be', '3: "1.234" can be']],
  ])('are ambiguous with %s', (_name, values, expected) => {
    const found = read(values);
    expect(found).toEqual(expected.map((start) => expect.stringContaining(start)));
    expect(read(values, undefined, '\t')).toEqual(found);
  });

  it.each<[string, readonly string[], string]>([
    [
      'two decimal marks',
      ['1,5', '1.5'],
      '3: "1.5" is not a number with a decimal comma, which "1,5" on line 2 uses; use one decimal mark in the whole file',
    ],
    [
      'a decimal point and points as thousands separators',
      ['1.5', '12.345.678'],
      '3: "12.345.678" is not a number with a decimal point, which "1.5" on line 2 uses',
    ],
    [
      'both marks as thousands separators',
      ['1.234.567', '1,234,567'],
      '3: "1,234,567" is not a number with a decimal comma',
    ],
    ['uneven groups', ['12,34,567'], '2: "12,34,567" is not a finite number; use digits only, without units'],
    ['one mark used for both', ['1.234.5'], '2: "1.234.5" is not a finite number'],
    ['a unit', ['12 kg'], '2: "12 kg" is not a finite number'],
  ])('are rejected with %s', (_name, values, expected) => {
    expect(read(values)).toEqual([expect.stringContaining(expected)]);
  });

  it('are ambiguous when the deciding value comes after the first ones were passed on', () => {
    const rows = new RowCollector(dayNumber(2030, 1, 1));
    const reader = new CsvRows(rows);
    reader.push('unique_id;ds;y\nA;2026-01;1.234\n');
    rows.clearBlock();
    reader.push('B;2026-01;2.345\nC;2026-01;12.345.678\n');
    reader.end();
    const reason = expect.stringContaining('no value within a million rows shows which: send decimal=comma');
    expect(rows.faults.list()).toEqual([{ line: 2, field: 'y', reason }]);
  });

  it('are unambiguous after the deciding value, however many rows later', () => {
    const rows = new RowCollector(dayNumber(2030, 1, 1));
    const reader = new CsvRows(rows);
    reader.push('unique_id;ds;y\nA;2026-01;0,5\nB;2026-01;1.234\n');
    const quantity = rows.block.quantityOf(1);
    rows.clearBlock();
    reader.push('C;2026-01;2\n');
    reader.end();
    expect([quantity, rows.faults.list()]).toEqual([1234, []]);
  });

  it('have a decimal point when commas separate the columns', () => {
    expect(read(['1.234', '980'], undefined, ',')).toEqual([1.234, 980]);
    expect(read(['1,234', '1,234,567.5', '0.5'], undefined, ',')).toEqual([1234, 1_234_567.5, 0.5]);
    const refused =
      'is not a number with a decimal point, the default if commas separate the columns; correct the value, or send decimal=comma';
    expect(read(['1,5', '12.345.678'], undefined, ',')).toEqual([`2: "1,5" ${refused}`, `3: "12.345.678" ${refused}`]);
    expect(read(['1,234', '0.5'], undefined, ',')).toEqual([1234, 0.5]);
    for (const other of ['980', '2.345']) {
      const doubtful = expect.stringContaining('2: "1,234" can be 1234 or 1.234');
      expect(read(['1,234', other], undefined, ',')).toEqual([doubtful]);
    }
  });

  it.each([',', ';', '\t'])(
    'follow the decimal mark given by the sender, also when the delimiter is "%s"',
    (delimiter) => {
      const german = ['1.234', '1,234', '12.345.678,5', '1 234,5', '1500', '1,5e3'];
      expect(read(german, 'comma', delimiter)).toEqual([1234, 1.234, 12_345_678.5, 1234.5, 1500, 1500]);
      const english = ['1.234', '1,234', '12,345,678.5', '1 234.5', '1500', '1.5e3'];
      expect(read(english, 'point', delimiter)).toEqual([1.234, 1234, 12_345_678.5, 1234.5, 1500, 1500]);
      expect(read(['1,5', '1.5', '0.123'], 'comma', delimiter)).toEqual([
        '3: "1.5" is not a number with a decimal comma, which decimal=comma sets; correct the value or the parameter',
        expect.stringContaining('4: "0.123" is not a number with a decimal comma'),
      ]);
      expect(read(['1,5', '1.5'], 'point', delimiter)).toEqual([
        expect.stringContaining('2: "1,5" is not a number with a decimal point, which decimal=point sets'),
      ]);
    },
  );
});
