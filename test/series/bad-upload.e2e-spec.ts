import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REJECTED_UPLOAD } from '../../src/series/api-upload.js';
import { createTenant, UNKNOWN_ID } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { storedDemand, upload, type UploadReply } from './uploads.js';

const HEADER = 'unique_id,ds,y\n';
const nextYear = new Date().getUTCFullYear() + 1;

/** Body of a CSV upload, and where and why it is refused. */
const BAD_CSV: readonly [name: string, body: string | Buffer, param: string, message: RegExp][] = [
  ['nothing', '\n', 'body', /line 1: is empty/],
  ['only a header', HEADER, 'body', /^contains no rows$/],
  [
    'a file whose line breaks curl -d removed',
    'unique_id,ds,y,unitA,2026-01,1,pcsA,2026-02,2,pcs',
    'body',
    /line 1: contains the rows as well: .*--data-binary/,
  ],
  ['a header and a row without line breaks', 'unique_id;ds;yA;2026-01;1', 'body', /line 1: contains the rows as well/],
  ['only a row', 'A,2026-01,1', 'unique_id', /line 1: the column is missing/],
  ['a missing column', 'unique_id,y\nA,1\n', 'ds', /line 1: the column is missing/],
  ['a column twice', 'unique_id,ds,y,y\nA,2026-01,1,2\n', 'y', /line 1: contains the column y twice/],
  [
    'other column names',
    'sku;date;qty\nA;2026-01;1\n',
    'unique_id',
    /line 1: .*header has sku, date, qty. Name the columns/,
  ],
  ['months in columns', 'unique_id;2026-01;2026-02\nA;1;2\n', 'ds', /line 1: .*one row per series and date/],
  [
    'a value in a column without a name',
    'unique_id;ds;y;\nA;2026-01;1;\nA;2026-02;1;x\n',
    'body',
    /line 3: has a value in column 4, which has no name in the header/,
  ],
  [
    'a title',
    'Sales 2026;;\nunique_id;ds;y\nA;2026-01;1\n',
    'unique_id',
    /line 1: .* remove the lines above the header/,
  ],
  ['HTML', '<!DOCTYPE html>\n<html></html>', 'body', /line 1: is HTML or XML/],
  [
    'a form around it',
    `------x\r\nContent-Disposition: form-data; name="file"\r\n\r\n${HEADER}A,2026-01,1\r\n------x--\r\n`,
    'body',
    /line 1: is the boundary of a form/,
  ],
  ['lines quoted as a whole', '"unique_id,ds,y"\n"A,2026-01,1"\n', 'body', /line 1: is quoted as a whole/],
  ['vertical bars', 'unique_id|ds|y\nA|2026-01|1\n', 'body', /line 1: .*bars/],
  ['a column twice in different case', 'unique_id,ds,y,Y\nA,2026-01,1,2\n', 'y', /line 1: contains the column y twice/],
  [
    'thousands separators beside a decimal comma',
    `${HEADER}A,2026-01,"1.234,5"\n`,
    'y',
    /line 2: .*send decimal=comma/,
  ],
  [
    'two decimal marks',
    'unique_id;ds;y\nA;2026-01;1,5\nA;2026-02;1.5\n',
    'y',
    /line 3: "1.5" is not a number with a decimal comma, which "1,5" on line 2 uses/,
  ],
  [
    'points that may separate thousands',
    'unique_id;ds;y\nA;2026-01;980\nA;2026-02;1.234\nA;2026-03;12.500\n',
    'y',
    /line 3: "1.234" can be 1234 or 1.234, and no value in the file shows which .*: send decimal=comma for 1234/,
  ],
  [
    'tabs and points that may separate thousands',
    'unique_id\tds\ty\nA\t2026-01\t1.234\n',
    'y',
    /line 2: "1.234" can be 1234/,
  ],
  ['a time of day', `${HEADER}A,2026-01-05T08:30:00Z,1\n`, 'ds', /line 2: .*is not midnight UTC/],
  ['midnight in another time zone', `${HEADER}A,2026-01-05T00:00:00+02:00,1\n`, 'ds', /line 2: .*is not midnight UTC/],
  ['a field too many', `${HEADER}A,2026-01,1\nA,2026-02,1,5\n`, 'body', /line 3: has 4 fields/],
  ['a field too few', `${HEADER}A,2026-01\n`, 'body', /line 2: has 2 fields .*remove totals/],
  [
    'a total without a date',
    'unique_id;ds;y\nA;2026-01;1\nTotal;;1\n',
    'ds',
    /line 3: is empty; use YYYY-MM-DD, .* totals/,
  ],
  ['an unclosed quote', `${HEADER}A,2026-01,1\n"B,2026-01,1\n`, 'body', /line 3: a quoted field starts here/],
  ['a quote inside a field', `${HEADER}A"b,2026-01,1\n`, 'body', /line 2: an unquoted field contains a quote/],
  ['text after a quote', `${HEADER}"A"b,2026-01,1\n`, 'body', /line 2: text follows/],
  ['NaN', `${HEADER}A,2026-01,NaN\n`, 'y', /line 2: "NaN" is not a finite number; use 0 if/],
  [
    'a currency sign',
    'unique_id;ds;y\nA;2026-01;1.234,50 €\n',
    'y',
    /line 2: "1.234,50 €" .* without units or symbols/,
  ],
  ['a percentage', `${HEADER}A,2026-01,12%\n`, 'y', /line 2: "12%" .* without units or symbols/],
  ['an infinite value', `${HEADER}A,2026-01,1\nA,2026-02,1e400\n`, 'y', /line 3: must be a finite number/],
  ['an absurdly large value', `${HEADER}A,2026-01,1e16\n`, 'y', /line 2: must be a finite number between/],
  ['an empty value', `${HEADER}A,2026-01,\n`, 'y', /line 2: is empty/],
  ['a decimal comma', `${HEADER}A,2026-01,"1,5"\n`, 'y', /line 2: .*decimal point, .*correct the value, or/],
  ['hexadecimal', `${HEADER}A,2026-01,0x10\n`, 'y', /line 2: "0x10" is not/],
  ['an empty unique_id', `${HEADER}  ,2026-01,1\n`, 'unique_id', /line 2: is empty/],
  [
    'an identifier shortened by a spreadsheet',
    `${HEADER}4.00638E+12,2026-01,1\n`,
    'unique_id',
    /line 2: .*as text.*; if it is intended, send these rows as JSON or NDJSON/,
  ],
  [
    'an identifier that is a failed formula',
    `${HEADER}#N/A,2026-01,1\n`,
    'unique_id',
    /line 2: "#N\/A" is a failed formula/,
  ],
  [
    'an identifier that has lost a character',
    `${HEADER}M\ufffdsli,2026-01,1\n`,
    'unique_id',
    /line 2: .*lost a character/,
  ],
  ['a long unique_id', `${HEADER}${'x'.repeat(256)},2026-01,1\n`, 'unique_id', /line 2: is longer than 255/],
  ['a day that does not exist', `${HEADER}A,2026-02-30,1\n`, 'ds', /line 2: "2026-02-30" is not a date/],
  ['a month that does not exist', `${HEADER}A,2026-13,1\n`, 'ds', /line 2: "2026-13" is not a date/],
  ['another date format', `${HEADER}A,01.02.2026,1\n`, 'ds', /line 2: .*is not a date; .*\(here 2026-02-01\)$/],
  ['an American date', `${HEADER}A,2/28/2026,1\n`, 'ds', /line 2: .*is not a date; .*\(here 2026-02-28\)$/],
  ['another month format', `${HEADER}A,2/2026,1\n`, 'ds', /line 2: .*\(here 2026-02\)$/],
  ['a month in six digits', `${HEADER}A,202602,1\n`, 'ds', /line 2: .*\(here 2026-02\)$/],
  ['a year of two digits', `${HEADER}A,28.02.26,1\n`, 'ds', /is not a date; .*, with all four digits of the year$/],
  ['a month of such a year', `${HEADER}A,Feb-26,1\n`, 'ds', /is not a date; .*, with all four digits of the year$/],
  ['ambiguous digits', `${HEADER}A,201202,1\n`, 'ds', /line 2: .*is not a date; .*YYYY-MM for a month$/],
  ['an ambiguous date', `${HEADER}A,01/02/2026,1\n`, 'ds', /line 2: .*is not a date; use YYYY-MM-DD, or YYYY-MM/],
  ['a spreadsheet day number', `${HEADER}A,45992,1\n`, 'ds', /line 2: .*\(here 2025-12-01\)$/],
  ['a month twice', `${HEADER}A,2026-01,1\nA,2026-01,1\n`, 'ds', /line 3: 2026-01 of "A" was already given in line 2/],
  [
    'the future',
    `${HEADER}A,${nextYear + 1}-01,1\n`,
    'ds',
    /line 2: .*in the future; the latest day accepted is \d{4}-\d\d-\d\d$/,
  ],
  ['the far past', `${HEADER}A,1492-10,1\n`, 'ds', /line 2: .*before 1900-01-01/],
  ['a day twice', `${HEADER}A,2026-01-05,1\nB,2026-01,1\nA,2026-01-05,1\n`, 'ds', /line 4: .*already given in line 2/],
  ['a month and its first day', `${HEADER}A,2026-01,1\nA,2026-01-01,1\n`, 'ds', /line 3: .*already given in line 2/],
  [
    'a month and one of its days',
    `${HEADER}A,2026-01-20,1\nA,2026-01,5\n`,
    'ds',
    /line 2: 2026-01-20 .* line 3 gives a total/,
  ],
  ['a NUL', `${HEADER}A,2026-01,1\nA\0,2026-01,1\n`, 'body', /line 3: contains a NUL/],
  [
    'Latin-1',
    Buffer.from(`${HEADER}A,2026-01,1\nM\u00fcll,2026-01,1\n`, 'latin1'),
    'body',
    /line 3: is not valid UTF-8/,
  ],
  ['UTF-16', Buffer.from(`\ufeff${HEADER}A,2026-01,1\n`, 'utf16le'), 'body', /line 1: is UTF-16/],
  ['UTF-16 without a mark', Buffer.from(`${HEADER}A,2026-01,1\n`, 'utf16le'), 'body', /line 1: is UTF-16/],
  [
    'an old Excel workbook',
    Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'),
    'body',
    /line 1: is an old Excel workbook/,
  ],
  ['an Excel workbook', Buffer.from('PK\x03\x04\x14\0\x06\0', 'latin1'), 'body', /line 1: is an Excel workbook/],
  ['undeclared gzip', gzipSync(HEADER), 'body', /line 1: is compressed with gzip; set the header/],
  ['JSON', JSON.stringify([{ unique_id: 'A', ds: '2026-01', y: 1 }]), 'body', /line 1: is JSON; send it as/],
  ['lines that end in CR alone', `${HEADER}A,2026-01,1\n`.replaceAll('\n', '\r'), 'body', /line 1: .*CR alone/],
  [
    'a line that names the delimiter',
    'sep=;\nunique_id;ds;y\nA;2026-01;1\n',
    'body',
    /line 1: specifies the delimiter/,
  ],
  ['a long name', `unique_id,ds,y,product_name\nA,2026-01,1,${'x'.repeat(501)}\n`, 'product_name', /line 2: is longer/],
];

const row = { unique_id: 'A', ds: '2026-01', y: 1 };
const BAD_JSON: readonly [name: string, body: string | Buffer, param: string, message: RegExp][] = [
  [
    'a list of rows alone',
    JSON.stringify([row]),
    'body',
    /^the body as a whole must be one JSON object \{"workspace_id"/,
  ],
  ['no rows', '{}', 'rows', /^is required: the body must be \{"workspace_id": …, "rows": \[…\]\}$/],
  ['rows under another name', JSON.stringify({ data: [row] }), 'rows', /^is required: .*, but it has data$/],
  ['only a row', JSON.stringify(row), 'rows', /is required: .*, but it has unique_id, ds, y$/],
  [
    'a month twice',
    JSON.stringify({ rows: [row, row] }),
    'ds',
    /row 2: .*already given in row 1; remove the copy, or send the sum of both$/,
  ],
  ['rows that are not an array', '{"rows": {}}', 'rows', /^must be a single array/],
  ['empty rows', '{"rows": []}', 'body', /^contains no rows$/],
  [
    'an unknown member',
    JSON.stringify({ rows: [row], extra: 1 }),
    'extra',
    /is not a known parameter; the known parameters are workspace_id, fill and rows$/,
  ],
  ['another fill', JSON.stringify({ rows: [row], fill: 'mean' }), 'fill', /none, zero/],
  ['a row that is not an object', JSON.stringify({ rows: [row, 5] }), 'body', /row 2: must be a JSON object/],
  [
    'a string in place of a number',
    JSON.stringify({ rows: [{ ...row, y: '1' }] }),
    'y',
    /row 1: must be a number, without quotes$/,
  ],
  ['an infinite number', '{"rows": [{"unique_id": "A", "ds": "2026-01", "y": 1e400}]}', 'y', /row 1: .*finite/],
  ['NaN', '{"rows": [{"unique_id": "A", "ds": "2026-01", "y": NaN}]}', 'body', /row 1: .*: NaN and Infinity are not/],
  [
    'an id that is not an integer',
    JSON.stringify({ rows: [{ ...row, unique_id: 1.5 }] }),
    'unique_id',
    /row 1: must be a string/,
  ],
  [
    'an id too long for a number',
    '{"rows": [{"unique_id": 12345678901234567890, "ds": "2026-01", "y": 1}]}',
    'unique_id',
    /whole/,
  ],
  ['no demand', JSON.stringify({ rows: [{ ...row, y: undefined }] }), 'y', /row 1: is missing/],
  ['null demand', JSON.stringify({ rows: [{ ...row, y: null }] }), 'y', /row 1: is null; omit the row/],
  ['a missing date', JSON.stringify({ rows: [{ unique_id: 'A', y: 1 }] }), 'ds', /row 1: is missing/],
  [
    'a number in place of a name',
    JSON.stringify({ rows: [{ ...row, product_name: 5 }] }),
    'product_name',
    /row 1: must be a string/,
  ],
  ['an escaped NUL', '{"rows": [{"unique_id": "A\\u0000", "ds": "2026-01", "y": 1}]}', 'unique_id', /row 1: contains/],
  ['a lone surrogate', '{"rows": [{"unique_id": "\\ud800", "ds": "2026-01", "y": 1}]}', 'unique_id', /row 1: contains/],
  [
    'a NUL in nested metadata',
    '{"rows": [{"unique_id":"A","ds":"2026-01","y":1,"m":{"k":"\\u0000"}}]}',
    'm',
    /row 1: contains/,
  ],
  ['a body cut short', `{"rows": [${JSON.stringify(row)}`, 'body', /ends before/],
  ['UTF-16', Buffer.from('\ufeff{"rows": []}', 'utf16le'), 'body', /^is UTF-16/],
  [
    'rows apart',
    `${JSON.stringify(row)}\n${JSON.stringify(row)}`,
    'body',
    /^has text after the JSON; one object per line is/,
  ],
  ['a trailing comma', `{"rows": [${JSON.stringify(row)},]}`, 'body', /is not valid JSON/],
  ['text after the end', `{"rows": [${JSON.stringify(row)}]} x`, 'body', /^has text after/],
];

describe('a bad upload is refused by field and line, and changes nothing', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let before: unknown;
  const send = (body: string | Buffer, headers: Record<string, string>, query = ''): Promise<UploadReply> =>
    upload(`${service.url}/api/v1/actuals${query}`, body, { 'x-api-key': tenant.workspaceKey, ...headers });

  beforeAll(async () => {
    service = await startTestService({ environment: { MAX_UPLOAD_MB: '1' } });
    tenant = await createTenant(service);
    await send(`${HEADER}A,2025-12,5\nKept,2026-01,6\n`, { 'content-type': 'text/csv' });
    before = await storedDemand(service.database);
  });
  afterAll(() => service.close());

  const expectRefusal = async (reply: UploadReply, code: string, param: string, message: RegExp): Promise<void> => {
    expect([reply.status, reply.body['code']]).toEqual([400, code]);
    expect(reply.body.errors).toContainEqual({ param, message: expect.stringMatching(message) });
    expect(await storedDemand(service.database)).toEqual(before);
  };

  it.each(BAD_CSV)('CSV with %s', async (_name, body, param, message) => {
    await expectRefusal(await send(body, { 'content-type': 'text/csv' }), 'invalid_data', param, message);
  });

  it.each(BAD_JSON)('JSON with %s', async (name, body, param, message) => {
    const code = /unknown|fill/.test(name) ? 'invalid_request' : 'invalid_data';
    await expectRefusal(await send(body, { 'content-type': 'application/json' }), code, param, message);
  });

  it.each([
    ['fill', 'zero', 'none'],
    ['fill', 'none', 'zero'],
    ['workspace_id', undefined, UNKNOWN_ID],
  ])('JSON with another %s than the query', async (param, inQuery = tenant.workspaceId, inBody) => {
    for (const body of [
      { [param]: inBody, rows: [row] },
      { rows: [row], [param]: inBody },
    ]) {
      const reply = await send(JSON.stringify(body), { 'content-type': 'application/json' }, `?${param}=${inQuery}`);
      await expectRefusal(reply, 'invalid_request', param, /^does not match the (fill|workspace) of the request$/);
    }
  });

  it('NDJSON with the body of a JSON upload', async () => {
    const reply = await send(JSON.stringify({ rows: [row] }), { 'content-type': 'application/x-ndjson' });
    await expectRefusal(reply, 'invalid_data', 'body', /line 1: is an object with rows, as in application\/json/);
  });

  it('NDJSON with NaN', async () => {
    const reply = await send('{"unique_id": "A", "ds": "2026-01", "y": NaN}\n', {
      'content-type': 'application/x-ndjson',
    });
    await expectRefusal(reply, 'invalid_data', 'body', /line 1: .*; omit the row if demand is missing$/);
  });

  it('NDJSON: every bad line is named, and the good ones are not stored either', async () => {
    const body = `${JSON.stringify(row)}\n{"unique_id":"B"}\n\nnot json\n`;
    const reply = await send(body, { 'content-type': 'application/x-ndjson' });
    await expectRefusal(reply, 'invalid_data', 'ds', /line 2: is missing/);
    expect(reply.body.errors).toContainEqual({
      param: 'body',
      message: 'line 4: is not valid JSON; every line must be one whole object',
    });
    expect(reply.body['report']).toMatchObject({ rows: 3, rejected_count: 2 });
  });

  it('CSV with values that contradict the decimal mark given', async () => {
    const values = ['1.234', '1,5', '1.5', '0.123'].map((y, at) => `B${at};2026-01;${y}\n`);
    const reply = await send(`unique_id;ds;y\n${values.join('')}`, { 'content-type': 'text/csv' }, '?decimal=comma');
    await expectRefusal(
      reply,
      'invalid_data',
      'y',
      /line 4: "1.5" is not a number with a decimal comma, which decimal=comma sets/,
    );
    expect(reply.body['report']).toMatchObject({ rows: 4, rejected: [{ line: 4 }, { line: 5 }] });
  });

  it.each([
    ['application/json', JSON.stringify({ rows: [row] }), {}],
    ['application/x-ndjson', JSON.stringify(row), { prefer: 'respond-async' }],
  ])('a decimal mark for %s', async (type, body, headers) => {
    const reply = await send(body, { 'content-type': type, ...headers }, '?decimal=comma');
    await expectRefusal(
      reply,
      'invalid_request',
      'decimal',
      /^is only allowed for CSV; JSON numbers always use a decimal point$/,
    );
  });

  it('lists the first hundred refused lines, says what is wrong with the first five, and counts all', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `A${index},2026-01,x`).join('\n');
    const reply = await send(HEADER + lines, { 'content-type': 'text/csv' });
    expect(reply.body.errors).toHaveLength(100);
    const described = [2, 3, 4, 5, 6].map((line) => `y: line ${line}: "x" is not a finite number[^.]*`).join('\\. ');
    expect(reply.body['detail']).toMatch(new RegExp(`^250 lines were rejected\\. Nothing is stored\\. ${described}$`));
    expect(reply.body['report']).toMatchObject({ rejected_count: 250 });
  });

  it('an empty cell, as the example in the OpenAPI document shows', async () => {
    const reply = await send(`${HEADER}SKU-1001,2026-09,120\nSKU-1001,2026-10,\n`, { 'content-type': 'text/csv' });
    expect(reply.body).toMatchObject(REJECTED_UPLOAD);
  });

  it('other types, charsets, encodings, unknown parameters, and corrupt gzip', async () => {
    const csv = { 'content-type': 'text/csv' };
    const good = `${HEADER}A,2026-01,1\n`;
    const statuses = [
      await send(good, { 'content-type': 'application/xml' }),
      await send(good, { 'content-type': 'text/csv; charset=iso-8859-1' }),
      await send(good, { ...csv, 'content-encoding': 'br' }),
      await send(good, csv, '?colour=red'),
      await send(good, csv, '?fill=mean'),
      await send(good, csv, '?decimal=,'),
      await send(good, csv, '?decimal=comma&decimal=point'),
      await send(Buffer.from('not gzip'), { ...csv, 'content-encoding': 'gzip' }),
      await send(gzipSync(good).subarray(0, 20), { ...csv, 'content-encoding': 'gzip' }),
    ].map((reply) => reply.status);
    expect(statuses).toEqual([415, 415, 415, 400, 400, 400, 400, 400, 400]);
    expect(await storedDemand(service.database)).toEqual(before);
  });

  it('a body above the limit, declared or found after decompression, gets 413', async () => {
    const large = HEADER + 'A,2026-01,1\n'.repeat(100_000);
    const plain = await send(large, { 'content-type': 'text/csv' });
    const bomb = await send(gzipSync(large), { 'content-type': 'text/csv', 'content-encoding': 'gzip' });
    expect([plain.status, plain.body['code'], bomb.status]).toEqual([413, 'body_too_large', 413]);
    expect(await storedDemand(service.database)).toEqual(before);
  });
});
