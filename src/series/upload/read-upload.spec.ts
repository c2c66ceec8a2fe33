import { describe, expect, it } from '@jest/globals';
import { dayNumber } from './demand-day.js';
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

const ndjson = (rows: Iterable<object>): string => Array.from(rows, (row) => JSON.stringify(row)).join('\n');

describe('the upload reader', () => {
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
        line: 1,
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
