import { describe, expect, it } from '@jest/globals';
import { dayNumber } from '../day-number.js';
import type { RejectedLine } from './faults.js';
import { type UploadFormat, UploadReader } from './read-upload.js';

const LATEST = dayNumber(2030, 12, 31);

/** Reads text as one body. @returns the reader, and the number of series in each block */
async function read(format: UploadFormat, text: string): Promise<{ reader: UploadReader; series: number[] }> {
  const reader = new UploadReader(format, LATEST);
  const series: number[] = [];
  const body = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(text));
  };
  for await (const _block of reader.blocks(body())) series.push(reader.rows.series.size);
  return { reader, series };
}

interface ReadInChunks {
  /** As [unique_id, description, day, quantity]. */
  readonly rows: unknown[];
  readonly members: object;
  readonly faults: RejectedLine[];
}

/** Reads a body that arrives in chunks of so many bytes. */
async function readInChunks(format: UploadFormat, body: Buffer, size: number): Promise<ReadInChunks> {
  const reader = new UploadReader(format, LATEST);
  const { block, series, faults } = reader.rows;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += size) yield await Promise.resolve(body.subarray(at, at + size));
  };
  const rows: unknown[] = [];
  for await (const { order } of reader.blocks(chunks())) {
    for (const row of order) {
      const { uniqueId, attributes } = series.entry(block.seriesOf(row));
      rows.push([uniqueId, attributes, block.dayOf(row), block.quantityOf(row)]);
    }
  }
  return { rows, members: reader.members, faults: faults.list() };
}

const ndjson = (rows: Iterable<object>): string => Array.from(rows, (row) => JSON.stringify(row)).join('\n');

describe('the upload reader', () => {
  const items = [
    { unique_id: 'é', ds: '2026-01', y: 1, product_name: 'crème "brûlée", [1}' },
    { unique_id: '日本', ds: '2026-01-31', y: 2.5, product_name: 'a\\ \\"b' },
    { unique_id: '🍰', ds: '2026-02', y: 0, product_name: 'ca\ufeffke' },
  ];
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const csv = ['unique_id,ds,y,product_name']
    .concat(items.map(({ unique_id: id, ds, y, product_name: name }) => `${id},${ds},${y},${quote(name)}`))
    .join('\r\n');
  const MEMBERS = { fill: 'zero', 'a "b\\': [{ c: ']' }, -1500], last: true };
  const SIZES = [1, 2, 3, 5, 7, 1_000];
  it.each<[UploadFormat, string, object]>([
    ['csv', csv, {}],
    ['csv', `\ufeff${csv}\r\n`, {}],
    [
      'json',
      JSON.stringify({ fill: 'zero', 'a "b\\': [{ c: ']' }, -1.5e3], rows: items, last: true }, null, 1),
      MEMBERS,
    ],
    ['ndjson', ndjson(items), {}],
  ])('reads the same from %s however it is split', async (format, body, members) => {
    const rows = [
      ['é', { productName: 'crème "brûlée", [1}' }, dayNumber(2026, 1, 1), 1],
      ['日本', { productName: 'a\\ \\"b' }, dayNumber(2026, 1, 31), 2.5],
      ['🍰', { productName: 'ca\ufeffke' }, dayNumber(2026, 2, 1), 0],
    ];
    for (const size of SIZES)
      expect(await readInChunks(format, Buffer.from(body), size)).toEqual({ rows, members, faults: [] });
  });

  it.each<[UploadFormat, string | Buffer, string[]]>([
    ['csv', Buffer.from(`${csv}\nu,2026-01,\xe9\n`, 'latin1'), ['2 body is not valid UTF-8; save the file as UTF-8']],
    ['csv', `${csv}\n"a`, ['5 body a quoted field starts here and is never closed']],
    ['json', `{"rows":${JSON.stringify(items)},"rows":[]}`, ['0 rows must be a single array of objects']],
    ['json', '{"fill":"zero","rows":[],"fill":"zero"}', ['0 fill is given twice']],
    ['json', `{"rows":[${JSON.stringify(items[0])},]}`, ['2 body is not valid JSON']],
    ['json', '{"rows":[],}', ['0 body is not valid JSON']],
    [
      'json',
      '{"rows":[{}]} x',
      ['0 body has text after the JSON; one object per line is application/x-ndjson', '1 unique_id is missing'],
    ],
    [
      'ndjson',
      `${ndjson(items)}\n\n{"unique_id":"é"}\n[]\n`,
      ['5 ds is missing', '6 body must be a JSON object with unique_id, ds and y'],
    ],
  ])('rejects the same of %s however it is split', async (format, body, faults) => {
    for (const size of SIZES) {
      const read = (await readInChunks(format, Buffer.from(body), size)).faults;
      expect(read.map(({ line, field, reason }) => `${line} ${field} ${reason}`)).toEqual(faults);
    }
  });

  it('rejects a day within a month given as one figure once, in time linear in the rows', async () => {
    const pairs = Array.from({ length: 150_000 }, () => 'A,2026-01,1\nA,2026-01-01,1\n').join('');
    const { reader } = await read('csv', `unique_id,ds,y\n${pairs}A,2026-01-20,1\n`);
    const repeated = 2 * 150_000 - 1;
    expect(reader.rows.counts.duplicates).toBe(repeated);
    expect(reader.rows.faults.count).toBe(repeated + 1);
  });

  it('lists the first hundred faulty lines, in whatever order they are found', async () => {
    const series = Array.from({ length: 300 }, (_, at) => `S${at},2026-01,1`);
    const { reader } = await read('csv', ['unique_id,ds,y', ...series, ...series.toReversed()].join('\n'));
    const lines = reader.rows.faults.list().map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: 100 }, (_, at) => 302 + at));
  });

  it('passes on a block before the metadata of its series exceeds the memory limit', async () => {
    const row = (at: number) => ({ unique_id: `S${at}`, ds: '2026-01', y: 1, ...further(0, 50, 'x'.repeat(1_990)) });
    const { series } = await read('ndjson', ndjson(Array.from({ length: 600 }, (_, at) => row(at))));
    expect(series.length).toBeGreaterThan(1);
    expect(series.reduce((sum, count) => sum + count, 0)).toBe(600);
  });

  it('keeps rows that repeat the metadata of their series in one block', async () => {
    const row = { unique_id: 'A', y: 1, ...further(0, 50, 'x'.repeat(1_990)) };
    const days = Array.from({ length: 600 }, (_, at) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10));
    expect((await read('ndjson', ndjson(days.map((ds) => ({ ...row, ds }))))).series).toEqual([1]);
  });

  it('rejects more metadata columns than a series can have, whether in one row or several', async () => {
    const rows = [
      { unique_id: 'A', ds: '2026-01', y: 1, ...further(0, 30, 'x') },
      { unique_id: 'B', ds: '2026-01', y: 1, ...further(30, 60, 'x') },
      { unique_id: 'A', ds: '2026-02', y: 1, ...further(30, 60, 'x') },
      { unique_id: 'C', ds: '2026-01', y: 1, ...further(100, 151, 'x') },
    ];
    const { reader } = await read('ndjson', ndjson(rows));
    const reason = 'exceeds the 50 metadata columns that a series can have';
    expect(reader.rows.faults.list()).toEqual([
      { line: 3, field: 'column_50', reason },
      { line: 4, field: 'column_150', reason },
    ]);
  });

  it('rejects series with ever more metadata columns in time linear in the rows', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ({
      unique_id: 'A',
      ds: `${1900 + (at % 100)}-01`,
      y: 1,
      ...further(50 * at, 50 * at + 50, 'x'),
    }));
    const { reader } = await read('ndjson', ndjson(rows));
    expect(reader.rows.faults.list()[0]).toMatchObject({ line: 2, field: 'column_50' });
  });

  it('rejects a quantity with very many digits in linear time', async () => {
    const begun = performance.now();
    const digits = '1'.repeat(200_000);
    for (const [delimiter, quantity] of [
      [',', `${digits}x`],
      [';', `${digits}x`],
      [';', `${digits}.${digits}x`],
    ] as const) {
      const header = ['unique_id', 'ds', 'y'].join(delimiter);
      const { reader } = await read('csv', `${header}\n${['A', '2026-01', quantity].join(delimiter)}\n`);
      expect(reader.rows.faults.list()).toMatchObject([{ line: 2, field: 'y' }]);
    }
    expect(performance.now() - begun).toBeLessThan(20_000); // about 50 ms; half an hour if quadratic
  });

  it.each([
    ['1.5', 1.5],
    ['1,5', 1.5],
    [' .25 ', 0.25],
    ['3', 3],
  ])('reads %p in a column of the stock target as a number', async (written, leadTimeMonths) => {
    const body = Buffer.from(`unique_id;ds;y;lead_time_months\nA;2026-01;1;${written}\n`);
    const { rows } = await readInChunks('csv', body, 1_000);
    expect(rows).toEqual([['A', { leadTimeMonths }, dayNumber(2026, 1, 1), 1]]);
  });

  it.each(['1 month', '1e1', '0x2', '-1', '1.2.3', '1.'])('rejects %p there', async (written) => {
    const { reader } = await read('csv', `unique_id;ds;y;lead_time_months\nA;2026-01;1;${written}\n`);
    expect(reader.rows.faults.list()).toMatchObject([{ line: 2, field: 'lead_time_months' }]);
  });

  it('rejects very many digits there in linear time', async () => {
    const begun = performance.now();
    const { reader } = await read('csv', `unique_id;ds;y;lead_time_months\nA;2026-01;1;${'1'.repeat(400_000)}x\n`);
    expect(reader.rows.faults.list()).toMatchObject([{ line: 2, field: 'lead_time_months' }]);
    expect(performance.now() - begun).toBeLessThan(20_000); // some milliseconds; more than a minute if quadratic
  });

  it.each([
    ['"1.5"', 'must be a number of months greater than 0, up to 36, without quotes'],
    ['"6 weeks"', 'must be a number of months greater than 0, up to 36'],
    ['"98"', 'must be a number of months greater than 0, up to 36'],
  ])('rejects %s there in JSON', async (written, reason) => {
    const { reader } = await read(
      'ndjson',
      `{"unique_id": "A", "ds": "2026-01", "y": 1, "lead_time_months": ${written}}`,
    );
    expect(reader.rows.faults.list()).toEqual([{ line: 1, field: 'lead_time_months', reason }]);
  });

  it('rejects a header with very many columns in linear time', async () => {
    const begun = performance.now();
    const names = Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(',');
    const { reader } = await read('csv', `unique_id,ds,y,${names}\n`);
    expect(reader.rows.faults.list()).toEqual([
      { line: 1, field: 'body', reason: 'has more than 50 metadata columns' },
    ]);
    expect(performance.now() - begun).toBeLessThan(20_000); // half a second; more than a minute if quadratic
  });

  it('limits the members kept beside the rows', async () => {
    const members = Array.from({ length: 10_000 }, (_, at) => `"m${at}": 1`).join(',');
    const { reader } = await read('json', `{${members}, "rows": []}`);
    expect(reader.rows.faults.list()).toEqual([
      {
        line: 0,
        field: 'body',
        reason: 'contains more than 10000 characters outside rows; it must be {"workspace_id": …, "rows": […]}',
      },
    ]);
    expect(Object.keys(reader.members).length).toBeLessThan(2_000);
  });

  it('rejects values nested too deeply to be serialized', async () => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000);
    const { reader } = await read('ndjson', `{"unique_id": "A", "ds": "2026-01", "y": 1, "nested": ${nested}}`);
    expect(reader.rows.faults.list()).toEqual([{ line: 1, field: 'nested', reason: 'is longer than 2000 characters' }]);
  });
});

/** Additional columns of a row, from `from` up to but not including `to`. */
function further(from: number, to: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`column_${from + at}`, value]));
}
