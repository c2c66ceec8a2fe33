import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../src/platform/clock.js';
import { lockWorkspace } from '../../src/series/workspace-locks.queries.js';
import { dailyCsv } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { upload, type UploadReply, valuesOf } from './uploads.js';

describe('POST /api/v1/actuals', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  const send = (body: string | Buffer, headers: Record<string, string> = {}, query = ''): Promise<UploadReply> =>
    upload(`${service.url}/api/v1/actuals${query}`, body, {
      'x-api-key': tenant.workspaceKey,
      'content-type': 'text/csv',
      ...headers,
    });
  const values = (uniqueId: string): Promise<string[]> => valuesOf(service.database, tenant.workspaceId, uniqueId);

  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    tenant = await createTenant(service);
  });
  afterAll(() => service.close());

  it('stores CSV and returns the data quality report', async () => {
    const reply = await send('unique_id,ds,y\nA,2026-01,1\nA,2026-02-01,2.5\nA,2026-05,-3\nB,2026-03-15,4\n');
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        import_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        rows: 4,
        series_created: 2,
        series_updated: 0,
        months: { from: '2026-01-01', to: '2026-05-01' },
        gaps: 2,
        series_with_gaps: 1,
        missing: [
          { unique_id: 'A', ds: '2026-03' },
          { unique_id: 'A', ds: '2026-04' },
        ],
        incomplete_month: null,
        missing_days: [],
        months_filled: 0,
        days_replaced_by_month: 0,
        month_replaced_by_days: 0,
        duplicates: 0,
        negative_values: 1,
        rejected_count: 0,
        rejected: [],
      },
    ]);
    expect(await values('A')).toEqual(['2026-01-01=1', '2026-02-01=2.5', '2026-05-01=-3']);
    expect(await values('B')).toEqual(['2026-03-15=4']);
  });

  it('names an incomplete last month', async () => {
    const months = async (csv: string) => (await send(csv)).body['incomplete_month'];
    expect(await months(dailyCsv('2023-01-01', '2023-12-09'))).toBe('2023-12-01');
    expect(await months(dailyCsv('2023-10-01', '2023-11-09'))).toBeNull(); // days that are known, given again
    expect(await months(dailyCsv('2023-12-10', '2023-12-31'))).toBeNull();
  });

  it('names days that were skipped, until they are uploaded', async () => {
    const missing = async (csv: string) => (await send(csv)).body['missing_days'];
    expect(await missing(dailyCsv('2023-01-01', '2023-11-08'))).toEqual([]);
    const skipped = [{ from: '2023-11-09', to: '2023-11-15' }];
    expect(await missing(dailyCsv('2023-11-16', '2023-11-16'))).toEqual(skipped);
    expect(await missing(dailyCsv('2023-11-17', '2023-12-31'))).toEqual(skipped);
    expect(await missing(dailyCsv('2023-06-01', '2023-06-01'))).toEqual([]); // late: not about its months
    expect(await missing('unique_id,ds,y\nC,2023-10-01,4\nC,2023-11-12,4\n')).toEqual([]); // among all series
    expect(await missing('unique_id,ds,y\nC,2023-11-12,4\n')).toEqual([]);
    expect(await missing(dailyCsv('2023-11-09', '2023-11-15'))).toEqual([]);
  });

  it.each([
    ['decimals', '0.5', '1.234'],
    ['decimals', '1234.500', '1.234'],
    ['thousands', '12.345.678', '1234'],
    ['thousands', '1.234,5', '1234'],
  ])(
    'reads a point in a semicolon-separated file as one before %s when another value is %s',
    async (_what, other, expected) => {
      expect((await send(`unique_id;ds;y\nA;2026-01;1.234\nB;2026-01;${other}\n`)).status).toBe(200);
      expect(await values('A')).toEqual([`2026-01-01=${expected}`]);
    },
  );

  it.each([
    ['comma', '1234', '1.5', '12345.5'],
    ['point', '1.234', '15', '1.2'],
  ])('reads a file that does not reveal its decimal mark with decimal=%s', async (decimal, first, second, third) => {
    const other = decimal === 'comma' ? ['1,5', '12.345,5'] : ['15', '1.2'];
    const csv = `unique_id;ds;y\nA;2026-01;1.234\nA;2026-02;${other[0]}\nA;2026-03;${other[1]}\n`;
    expect((await send(csv, {}, `?decimal=${decimal}`)).status).toBe(200);
    expect(await values('A')).toEqual([`2026-01-01=${first}`, `2026-02-01=${second}`, `2026-03-01=${third}`]);
  });

  it('accepts a line break in a quoted column name', async () => {
    expect((await send('unique_id,ds,y,"Net\r\nweight"\r\nA,2026-01,1,5\r\n')).status).toBe(200);
  });

  it('skips lines of delimiters only, as spreadsheets save emptied rows', async () => {
    const reply = await send(';;;\n  \nunique_id;ds;y;category\nA;2026-01;1;Tea\n;;;\n ;;\nB;2026-01;2;Tea\n;;;;;\n');
    expect(reply).toMatchObject({ status: 200, body: { rows: 2, series_created: 2, rejected_count: 0 } });
  });

  it('stores the same rows from CSV, JSON and NDJSON, compressed or not', async () => {
    const rows = [
      { unique_id: 'A', ds: '2025-12-31', y: 1.25, category: 'Tea' },
      { unique_id: 'Ü "quoted", 日本', ds: '2026-01', y: 1e3, category: 'Tea' },
    ];
    const csv = 'unique_id,ds,y,category\nA,2025-12-31,1.25,Tea\n"Ü ""quoted"", 日本",2026-01,1e3,Tea\n';
    const json = { 'content-type': 'application/json' };
    const bodies: [string | Buffer, Record<string, string>][] = [
      [csv, {}],
      [gzipSync(csv), { 'content-encoding': 'gzip' }],
      [JSON.stringify({ workspace_id: tenant.workspaceId, rows }), json],
      [JSON.stringify({ rows, fill: 'none', workspace_id: tenant.workspaceId }, null, 2), json],
      [rows.map((row) => JSON.stringify(row)).join('\n'), { 'content-type': 'application/x-ndjson' }],
    ];
    for (const [body, headers] of bodies) {
      await service.database.execute('DELETE FROM series');
      const reply = await send(body, headers);
      expect([reply.status, reply.body['rows'], reply.body['series_created']]).toEqual([200, 2, 2]);
      expect(await values('A')).toEqual(['2025-12-31=1.25']);
      expect(await values(rows[1]!.unique_id)).toEqual(['2026-01-01=1000']);
    }
  });

  it('reports gzip that breaks early in a large body', async () => {
    const body = Buffer.concat([gzipSync('unique_id,ds,y\n').subarray(0, 20), Buffer.alloc(20_000_000, 'no gzip')]);
    const reply = await send(body, { 'content-encoding': 'gzip' });
    const errors = [{ param: 'body', message: 'is not valid gzip' }];
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
  });

  it('replaces values of the same series and date and keeps all others', async () => {
    await send('unique_id,ds,y\nA,2025-12-30,1\nA,2026-01-02,2\nA,2026-01-03,3\nB,2026-01,9\n');
    const reply = await send('unique_id,ds,y\nC,2026-01,7\nA,2026-01-04,40\nA,2026-01-02,20\n');
    expect(reply.body).toMatchObject({ series_created: 1, series_updated: 1 });
    expect(await values('A')).toEqual(['2025-12-30=1', '2026-01-02=20', '2026-01-03=3', '2026-01-04=40']);
    expect(await values('B')).toEqual(['2026-01-01=9']);
  });

  it('writes only changes, and reports the same for unchanged data', async () => {
    const header = 'unique_id,ds,y,product_name,colour\n';
    const [bean, oat, tea] = [
      'A,2025-12-30,1,Beans,brown\nA,2026-01-02,2,,\n',
      'B,2026-01,9,Oats,\n',
      'C,2026-01-05,4,,\n',
    ];
    const first = await send(header + bean + oat + tea);
    /** The rows that another transaction has written than before. */
    const written = async (change: () => Promise<unknown>): Promise<string[]> => {
      const before = await versions();
      await change();
      const after = await versions();
      return [...after.keys()].filter((row) => after.get(row) !== before.get(row));
    };
    const versions = async () => {
      const rows = await service.database.query<{ row: string; xmin: string }>(
        `SELECT unique_id AS row, xmin::text FROM series WHERE workspace_id = $1
         UNION ALL
         SELECT unique_id || ' ' || year, demand.xmin::text FROM demand JOIN series ON series.id = series_id
         WHERE series.workspace_id = $1 ORDER BY 1`,
        [tenant.workspaceId],
      );
      return new Map(rows.map(({ row, xmin }) => [row, xmin]));
    };

    expect(
      await written(async () => {
        const { import_id: _id, ...report } = (await send(header + bean + oat + tea)).body;
        const { import_id: _first, ...stored } = first.body;
        expect(report).toEqual({ ...stored, series_created: 0, series_updated: 3 });
      }),
    ).toEqual([]);
    expect(await written(() => send('unique_id,ds,y\nA,2026-01-02,2\n'))).toEqual([]); // a part of what is stored
    expect(await written(() => send('unique_id,ds,y\nA,2026-01-02,3\nC,2026-01-05,4\n'))).toEqual(['A 2026']);
    expect(await written(() => send('unique_id,ds,y\nC,2026-01,4\n'))).toEqual(['C 2026']); // the same day, as a month
    expect(await written(() => send('unique_id,ds,y,colour\nA,2026-01-02,3,brown\nB,2026-01,9,pale\n'))).toEqual(['B']);
    expect(await values('A')).toEqual(['2025-12-30=1', '2026-01-02=3']);
  });

  it('stores a month as one figure or as days, never both, and reports what was replaced', async () => {
    await send('unique_id,ds,y\nDC,2026-08,7\nDC,2026-09-01,10\nDC,2026-09-02,20\nDC,2026-09-30,30\n');
    expect((await send('unique_id,ds,y\nDC,2026-09,60\n')).body).toMatchObject({
      days_replaced_by_month: 1,
      month_replaced_by_days: 0,
    });
    expect(await values('DC')).toEqual(['2026-08-01=7', '2026-09-01=60']);
    expect((await send('unique_id,ds,y\nDC,2026-09-02,25\nDC,2026-10-01,5\n')).body).toMatchObject({
      days_replaced_by_month: 0,
      month_replaced_by_days: 1,
    });
    expect(await values('DC')).toEqual(['2026-08-01=7', '2026-09-02=25', '2026-10-01=5']);
    const again = await send('unique_id,ds,y\nDC,2026-08,8\nDC,2026-09-03,1\n');
    expect(again.body).toMatchObject({ days_replaced_by_month: 0, month_replaced_by_days: 0 });
    expect(await values('DC')).toEqual(['2026-08-01=8', '2026-09-02=25', '2026-09-03=1', '2026-10-01=5']);
    expect((await send('unique_id,ds,y\nDC,2026-10,5\n')).body).toMatchObject({ days_replaced_by_month: 1 });
    await send('unique_id,ds,y\nDC,2026-10-02,6\n');
    expect((await values('DC')).at(-1)).toBe('2026-10-02=6');
  });

  it('accepts descriptive columns, keeps what a later upload omits and adds further columns to the metadata', async () => {
    await send('warehouse,y,ds,unique_id,product_name,unit\nHH,1,2026-01,A,Beans,bags\n,2,2026-02,A,,\n');
    await send('unique_id,ds,y,category,colour\nA,2026-03,3,Coffee,brown\n');
    const listed = await fetch(`${service.url}/api/v1/series`, { headers: { 'x-api-key': tenant.workspaceKey } });
    expect(await listed.json()).toEqual([
      expect.objectContaining({
        unique_id: 'A',
        product_name: 'Beans',
        category: 'Coffee',
        unit: 'bags',
        metadata: { warehouse: 'HH', colour: 'brown' },
        first_month: '2026-01-01',
        last_month: '2026-03-01',
        observations: 3,
      }),
    ]);
  });

  it('takes what belongs to the series from its last row that has a value, whatever the dates', async () => {
    await send('unique_id,ds,y\nB,2026-01,1\nC,2026-01,1\n');
    const rows = [
      'A,2026-03,1,Dark beans,2,B,brown',
      'A,2026-01,1,Beans,1.5,C,black',
      'B,2026-02,1,,,,', // between them, so that both of A are read in full
      'A,2026-02,1,,,,',
    ];
    await send(`unique_id,ds,y,product_name,lead_time_months,replaced_by,colour\n${rows.join('\n')}\n`);
    const reply = await fetch(`${service.url}/api/v1/series/A`, { headers: { 'x-api-key': tenant.workspaceKey } });
    expect(await reply.json()).toMatchObject({
      product_name: 'Beans',
      lead_time_months: 1.5,
      replaced_by: 'C',
      metadata: { colour: 'black' },
    });
  });

  it('limits a series to 50 further columns across uploads', async () => {
    const row = (from: number, to: number, value: string): string => {
      const further = Array.from({ length: to - from }, (_, at) => [`column_${from + at}`, value]);
      return JSON.stringify({ unique_id: 'A', ds: '2026-01', y: 1, ...Object.fromEntries(further) });
    };
    const give = (body: string) => send(body, { 'content-type': 'application/x-ndjson' });
    expect((await give(row(0, 50, 'x'))).status).toBe(200);
    expect((await give(row(10, 40, 'y'))).status).toBe(200);
    const refused = await give(`{"unique_id": "B", "ds": "2026-01", "y": 1}\n${row(45, 52, 'z')}`);
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ param: 'column_50', message: 'line 2: exceeds the 50 metadata columns that a series can have' }],
    ]);
    expect(refused.body).toMatchObject({ code: 'invalid_data', report: { rejected_count: 1 } });
    // of a series that a release without the bound gave more, the same may be given again
    await service.database.execute(
      `UPDATE series SET metadata = metadata || '{"column_50": "x", "column_51": "x"}' WHERE workspace_id = $1`,
      [tenant.workspaceId],
    );
    expect((await give(row(45, 52, 'z'))).status).toBe(200);
    expect((await give(row(52, 53, 'z'))).status).toBe(400);
  });

  it('lists the first hundred missing months by series and month', async () => {
    const rows = ['A,2010-01,1', 'A,2018-03,1', 'B,2025-11,1', 'B,2026-02,1', 'C,2026-01,1'];
    await send('unique_id,ds,y\nB,2026-01,1\n'); // known before, so not missing
    const { body } = await send(`unique_id,ds,y\n${rows.join('\n')}\n`);
    const missing = body['missing'] as { unique_id: string; ds: string }[];
    expect(body).toMatchObject({ gaps: 98, series_with_gaps: 2 });
    expect([missing.length, missing[0], ...missing.slice(-2)]).toEqual([
      98,
      { unique_id: 'A', ds: '2010-02' },
      { unique_id: 'A', ds: '2018-02' },
      { unique_id: 'B', ds: '2025-12' },
    ]);
    const more = await send('unique_id,ds,y\nA,2019-01,1\nB,2026-06,1\n');
    expect(more.body).toMatchObject({ gaps: 97 + 9 + 1 + 3 });
    const named = more.body['missing'] as { unique_id: string; ds: string }[];
    expect([named.length, named.at(-1)]).toEqual([100, { unique_id: 'A', ds: '2018-06' }]);
  });

  it('fills missing months with zero only on request', async () => {
    const csv = 'unique_id,ds,y\nA,2025-11,1\nA,2026-02,2\nB,2026-01,5\n';
    expect((await send(csv)).body).toMatchObject({ gaps: 2, months_filled: 0 });
    expect(await values('A')).toEqual(['2025-11-01=1', '2026-02-01=2']);
    expect((await send(csv, {}, '?fill=zero')).body).toMatchObject({ gaps: 0, months_filled: 3 });
    expect(await values('A')).toEqual(['2025-11-01=1', '2025-12-01=0', '2026-01-01=0', '2026-02-01=2']);
    expect(await values('B')).toEqual(['2026-01-01=5', '2026-02-01=0']);
  });

  it.each([
    ['Asia/Tokyo', '2025-11-30T23:00:00Z', ['2025-10-01=1', '2025-11-01=0']],
    ['America/Los_Angeles', '2025-12-01T03:00:00Z', ['2025-10-01=1']],
  ])('fills up to the last complete month in the time zone of the workspace: %s', async (zone, now, filled) => {
    await service.database.execute('UPDATE workspaces SET time_zone = $2 WHERE id = $1', [tenant.workspaceId, zone]);
    const clock = jest.spyOn(service.app.get(Clock), 'now').mockReturnValue(new Date(now));
    try {
      await send('unique_id,ds,y\nA,2025-10,1\nB,2025-11-30,1\n', {}, '?fill=zero');
    } finally {
      clock.mockRestore();
    }
    expect(await values('A')).toEqual(filled);
  });

  it('tolerates a byte order mark, CRLF, blank lines, whitespace around values and quoted line breaks', async () => {
    const csv = '\ufeffunique_id,ds,y,product_name\r\n A , 2026-01 , 1 ,"two\r\nlines"\r\n\r\n"B","2026-02","2",x';
    const reply = await send(csv);
    expect([reply.status, reply.body['rows']]).toEqual([200, 2]);
    expect(await values('A')).toEqual(['2026-01-01=1']);
    expect(await values('B')).toEqual(['2026-02-01=2']);
  });

  it('trims descriptive fields in JSON too, where whitespace alone means nothing', async () => {
    const row = {
      unique_id: ' A ',
      ds: '2026-01',
      y: 1,
      product_name: ' Beans\u00a0',
      category: '\tCoffee ',
      unit: '  ',
    };
    const reply = await send(JSON.stringify({ rows: [row] }), { 'content-type': 'application/json' });
    expect(reply.status).toBe(200);
    const [series] = await service.database.query(
      'SELECT unique_id, product_name, category, unit FROM series WHERE workspace_id = $1',
      [tenant.workspaceId],
    );
    expect(series).toEqual({ unique_id: 'A', product_name: 'Beans', category: 'Coffee', unit: null });
  });

  it.each([
    ['semicolons and decimal commas', 'unique_id;ds;y;category\nA;2026-01-05;1,5;"a;b"\nA;2026-01-06;-2;\n'],
    ['tabs and decimal commas', 'unique_id\tds\ty\nA\t2026-01-05\t1,5\nA\t2026-01-06\t-2\n'],
    ['semicolons and decimal points', 'unique_id;ds;y\nA;2026-01-05;1.5\nA;2026-01-06;-2\n'],
    ['column names in any case, with whitespace', '\ufeff Unique_ID , DS ,Y\nA,2026-01-05,1.5\nA,2026-01-06,-2\n'],
    ['timestamps of midnight', 'unique_id,ds,y\nA,2026-01-05T00:00:00Z,1.5\nA,2026-01-06 00:00:00,-2\n'],
    ['no-break spaces around values', 'unique_id;ds;y\nA\u00a0;2026-01-05;1,5\u202f\n\u00a0A;2026-01-06\u00a0;-2\n'],
    ['empty columns without a name', 'unique_id;;ds;y;;\nA;;2026-01-05;1,5;;\nA;;2026-01-06;-2; ;\n'],
    ['a first chunk with only the header', '\r\nunique_id;ds;y\r\nA;2026-01-05;1,5\r\nA;2026-01-06;-2'],
  ])('accepts files as shops and spreadsheets export them: %s', async (_name, csv) => {
    const reply = await send(csv);
    expect([reply.status, reply.body['rows'], reply.body['rejected_count']]).toEqual([200, 2, 0]);
    expect(await values('A')).toEqual(['2026-01-05=1.5', '2026-01-06=-2']);
  });

  it('accepts numbers as spreadsheets of several languages save them', async () => {
    const numbers = ['1.234,50', '12\u202f345', "1'234'567,5", '1 000', '980'];
    const rows = numbers.map((y, at) => `A;2026-01-0${at + 1};${y}\r\n`).join('');
    expect((await send(`\ufeffunique_id;ds;y\r\n${rows}`)).status).toBe(200);
    expect(await values('A')).toEqual(
      ['01=1234.5', '02=12345', '03=1234567.5', '04=1000', '05=980'].map((value) => `2026-01-${value}`),
    );
  });

  it.each(['1E+5', '2E10', '1E+12', '1.5E+5', '#1'])(
    'accepts an article code that merely resembles a number mangled by spreadsheets: %s',
    async (code) => {
      expect((await send(`unique_id,ds,y\n${code},2026-01,1\n`)).status).toBe(200);
      expect(await values(code)).toEqual(['2026-01-01=1']);
    },
  );

  it('accepts identifiers in JSON and NDJSON that it refuses in CSV as mangled by a spreadsheet', async () => {
    const rows = ['4.00638E+12', '#N/A'].map((unique_id) => ({ unique_id, ds: '2026-01', y: 1 }));
    const json = await send(JSON.stringify({ rows }), { 'content-type': 'application/json' });
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    const ndjson = await send(lines, { 'content-type': 'application/x-ndjson' });
    expect([json.status, ndjson.status]).toEqual([200, 200]);
  });

  it('accepts integers as unique_ids in JSON', async () => {
    const rows = [{ unique_id: 1001, ds: '2026-01', y: 1 }];
    expect((await send(JSON.stringify({ rows }), { 'content-type': 'application/json' })).status).toBe(200);
    expect(await values('1001')).toEqual(['2026-01-01=1']);
  });

  it('takes the workspace of an organization key from the query or the JSON body, in any order of members', async () => {
    const key = { 'x-api-key': tenant.organizationKey };
    const json = { ...key, 'content-type': 'application/json' };
    const row = (id: string) => ({ unique_id: id, ds: '2026-01', y: 1 });
    const { workspaceId } = tenant;
    expect((await send('unique_id,ds,y\nA,2026-01,1\n', key, `?workspace_id=${workspaceId}`)).status).toBe(200);
    expect((await send(JSON.stringify({ rows: [row('B')], workspace_id: workspaceId }), json)).status).toBe(200);
    expect((await send('unique_id,ds,y\nA,2026-01,1\n', key)).status).toBe(400);
    expect((await send(JSON.stringify({ rows: [row('C')] }), json)).status).toBe(400);
    expect(await values('B')).toEqual(['2026-01-01=1']);
    expect(await values('C')).toEqual([]);
  });

  it('replays the first reply for a repeated Idempotency-Key and refuses it for another body', async () => {
    const headers = { 'idempotency-key': 'upload-1' };
    const first = await send('unique_id,ds,y\nA,2026-01,1\n', headers);
    const again = await send('unique_id,ds,y\nA,2026-01,1\n', headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const marks = [first, again].map((reply) => reply.headers.get('idempotent-replayed'));
    expect(marks).toEqual([null, 'true']);
    const other = await send('unique_id,ds,y\nA,2026-01,2\n', headers);
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
    expect(await values('A')).toEqual(['2026-01-01=1']);
  });

  it('replays the first reply although the upload would be rejected by now', async () => {
    const headers = { 'idempotency-key': 'upload-1' };
    await send('unique_id,ds,y\nA,2026-01,1\n');
    const csv = 'unique_id,unit\nA,bags\n';
    const first = await send(csv, headers);
    await service.database.execute(`DELETE FROM series WHERE workspace_id = $1`, [tenant.workspaceId]);
    const again = await send(csv, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await send('no upload at all', headers);
    expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
  });

  it('does not replay for a workspace that is deleted, or that the key may not use', async () => {
    const body = (workspaceId: string) =>
      JSON.stringify({ workspace_id: workspaceId, rows: [{ unique_id: 'A', ds: '2026-01', y: 1 }] });
    const keyed = { 'content-type': 'application/json', 'idempotency-key': 'upload-1' };
    const byOrganization = { ...keyed, 'x-api-key': tenant.organizationKey };
    for (const headers of [keyed, byOrganization])
      expect((await send(body(tenant.workspaceId), headers)).status).toBe(200);
    const { workspaceId: foreign } = await createTenant(service);
    expect((await send(body(foreign), keyed)).status).toBe(403);
    expect((await send(body(foreign), byOrganization)).status).toBe(404);
    await service.database.execute('DELETE FROM workspaces WHERE id = $1', [tenant.workspaceId]);
    expect((await send(body(tenant.workspaceId), byOrganization)).status).toBe(404);
  });

  describe('while the workspace is locked by another upload', () => {
    /** Does it while another transaction has the lock that a merge takes. */
    const whileLocked = <Result>(work: () => Promise<Result>): Promise<Result> =>
      service.database.transaction(async (tx) => {
        await lockWorkspace(tx, tenant);
        return work();
      });
    const keyed = { 'idempotency-key': 'upload-1' };
    const csv = 'unique_id,ds,y\nA,2026-01,1\n';

    it('replays without waiting for it, since it merges nothing', async () => {
      const first = await send(csv, keyed);
      const again = await whileLocked(() => send(csv, keyed));
      expect(again.body).toEqual(first.body);
    });

    it.each([
      ['a small upload', csv, '1'],
      ['an upload that takes longer to store', csv + '\n'.repeat(9_000_000), '2'],
    ])('refuses a repetition of %s that waits for it, and merges one of them', async (_, body, retryAfter) => {
      const { waiting, refused } = await whileLocked(async () => {
        const both = [1, 2].map(() => send(body, keyed));
        const earlier = await Promise.race(both);
        return { waiting: both, refused: earlier };
      });
      expect([refused.status, refused.body['code']]).toEqual([409, 'idempotency_key_in_use']);
      expect(refused.headers.get('retry-after')).toBe(retryAfter);
      const replies = await Promise.all(waiting);
      expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    });
  });

  it.each([{}, { prefer: 'respond-async' }])(
    'treats another decimal mark as another request, with %j',
    async (async) => {
      const csv = 'unique_id;ds;y\nA;2026-01;1.234\n';
      const headers = { 'idempotency-key': 'upload-1', ...async };
      const first = await send(csv, headers, '?decimal=comma');
      const again = await send(csv, headers, '?decimal=comma');
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      const other = await send(csv, headers, '?decimal=point');
      expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
    },
  );

  it('separates tenants that share unique_ids', async () => {
    const other = await createTenant(service);
    await send('unique_id,ds,y\nA,2026-01,1\n');
    const csv = 'unique_id,ds,y\nA,2026-01,2\n';
    const foreign = (key: string): Promise<UploadReply> =>
      send(csv, { 'x-api-key': key }, `?workspace_id=${tenant.workspaceId}`);
    expect((await foreign(other.workspaceKey)).status).toBe(403);
    expect((await foreign(other.organizationKey)).status).toBe(404);
    expect((await send(csv, { 'x-api-key': other.workspaceKey })).status).toBe(200);
    expect(await values('A')).toEqual(['2026-01-01=1']);
    expect(await valuesOf(service.database, other.workspaceId, 'A')).toEqual(['2026-01-01=2']);
  });

  it('merges concurrent uploads of one workspace without losing a value', async () => {
    const days = Array.from({ length: 12 }, (_, day) => `2026-01-${String(day + 1).padStart(2, '0')}`);
    const replies = await Promise.all(days.map((day) => send(`unique_id,ds,y\nA,${day},1\nB,${day},2\n`)));
    expect(replies.map((reply) => reply.status)).toEqual(days.map(() => 200));
    expect(await values('A')).toEqual(days.map((day) => `${day}=1`));
  });
});
