import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BLOCK_SERIES } from '../../src/series/upload/series-dictionary.js';
import { createMember, createTenant } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { storedDemand, upload, type UploadReply } from './uploads.js';

const DEMAND = 'unique_id,ds,y,product_name,category,colour\nA,2026-01-05,1,Beans,Coffee,brown\nB,2026-03,2,Oats,,\n';
const CSV = { 'content-type': 'text/csv' };
const JSON_ROWS = { 'content-type': 'application/json' };
const NDJSON = { 'content-type': 'application/x-ndjson' };

describe('an upload without dates and quantities', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  const send = (body: string, headers: Record<string, string> = CSV, query = ''): Promise<UploadReply> =>
    upload(`${service.url}/api/v1/actuals${query}`, body, { 'x-api-key': tenant.workspaceKey, ...headers });
  const refusalOf = async (body: string, headers = CSV, query = ''): Promise<unknown> => {
    const before = await storedDemand(service.database);
    const { status, body: problem } = await send(body, headers, query);
    expect(await storedDemand(service.database)).toEqual(before);
    return [status, problem['code'], ...(problem.errors ?? []).map(({ param, message }) => `${param}: ${message}`)];
  };
  /** Name, category, metadata and stock target by unique_id. */
  const described = async (): Promise<Record<string, unknown[]>> => {
    const rows = await service.database.query<Record<string, unknown>>(
      `SELECT unique_id, product_name, category, metadata, lead_time_months, lead_time_sd_months, target_service_level
       FROM series WHERE workspace_id = $1 ORDER BY unique_id`,
      [tenant.workspaceId],
    );
    return Object.fromEntries(rows.map(({ unique_id: id, ...values }) => [String(id), Object.values(values)]));
  };
  const versions = async (): Promise<Record<string, unknown>> => {
    const rows = await service.database.query<Record<string, unknown>>(
      'SELECT demand_version AS demand, stock_target_version AS targets FROM workspaces WHERE id = $1',
      [tenant.workspaceId],
    );
    return rows[0]!;
  };

  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    tenant = await createTenant(service);
    await send(DEMAND);
  });
  afterAll(() => service.close());

  const A = { unique_id: 'A', product_name: 'Dark beans', lead_time_months: 1.5, colour: 'black' };
  const B = { unique_id: 'B', category: 'Cereals', target_service_level: 0.9 };
  it.each([
    [
      'CSV',
      'Lead_Time_Months;unique_id;product_name;category;target_service_level;colour\n' +
        '1,5;A;Dark beans;;;black\n;;;;;\n;B;;Cereals;0,9;\n',
      CSV,
    ],
    ['JSON', JSON.stringify({ rows: [A, B] }), JSON_ROWS],
    ['NDJSON', `${JSON.stringify(A)}\n${JSON.stringify(B)}\n`, NDJSON],
  ])('describes the series that it names, and keeps what it does not say, in %s', async (_format, body, headers) => {
    const reply = await send(body, headers);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      {
        rows: 2,
        series_created: 0,
        series_updated: 2,
        months: null,
        gaps: 0,
        missing: [],
        missing_days: [],
        incomplete_month: null,
        rejected_count: 0,
      },
    ]);
    expect(await described()).toEqual({
      A: ['Dark beans', 'Coffee', { colour: 'black' }, 1.5, null, null],
      B: ['Oats', 'Cereals', {}, null, null, 0.9],
    });
    const listed = await fetch(`${service.url}/api/v1/imports/${reply.body.import_id}`, {
      headers: { 'x-api-key': tenant.workspaceKey },
    });
    expect(await listed.json()).toMatchObject({ state: 'completed', rows_read: 2, report: { series_updated: 2 } });
  });

  it('changes no demand, and counts as a change of it only if it changes what runs use', async () => {
    const demand = () => storedDemand(service.database).then((stored) => (stored as { demand: unknown }).demand);
    const [stored, before] = [await demand(), await versions()];
    await send('unique_id,product_name\nA,Beans\n');
    expect(await versions()).toEqual(before);
    await send('unique_id,lead_time_months\nA,2\n');
    const after = await versions();
    expect(after['demand']).toBe(before['demand']);
    expect(after['targets']).not.toBe(before['targets']);
    await send('unique_id,lead_time_months\nA,2\n');
    expect(await versions()).toEqual(after);
    await send('unique_id,category\nA,Tea\n');
    expect((await versions())['demand']).not.toBe(after['demand']);
    expect(await demand()).toEqual(stored);
  });

  it.each([
    ['CSV', 'unique_id,lead_time_months\nA,2\nX,2\n\nY,3\n', CSV, ['line 3', 'line 5']],
    [
      'JSON',
      '{"rows":[{"unique_id":"A","unit":"kg"},{"unique_id":"X"},{"unique_id":"Y"}]}',
      JSON_ROWS,
      ['row 2', 'row 3'],
    ],
  ])('is rejected, naming the series that have no demand yet, in %s', async (_format, body, headers, places) => {
    const rest = 'and rows without ds and y only describe series; upload its demand first';
    expect(await refusalOf(body, headers)).toEqual([
      400,
      'invalid_data',
      `unique_id: ${places[0]}: the workspace has no series "X", ${rest}`,
      `unique_id: ${places[1]}: the workspace has no series "Y", ${rest}`,
    ]);
  });

  it('names the first hundred of many such series, and counts all', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => `X${at},2\n`).join('');
    const { status, body } = await send(`unique_id,lead_time_months\n${rows}A,1\n`);
    expect([status, body.errors?.length, body['report']]).toMatchObject([400, 100, { rejected_count: 150 }]);
  });

  it('counts a series that is described again after very many others', async () => {
    const unknown = BLOCK_SERIES + 10_000; // a block ends after the piece of the body that fills it
    const others = Array.from({ length: unknown }, (_, at) => `X${at},2\n`).join('');
    const { body } = await send(`unique_id,lead_time_months\nA,1\n${others}A,2\n`);
    expect(body['report']).toMatchObject({ duplicates: 1, rejected_count: unknown + 1 });
  });

  it('does not reach series of other workspaces', async () => {
    const other = await createTenant(service);
    const reply = await upload(`${service.url}/api/v1/actuals`, 'unique_id,product_name\nA,Stolen\n', {
      'x-api-key': other.workspaceKey,
      ...CSV,
    });
    expect(reply.status).toBe(400);
    expect((await described())['A']).toContain('Beans');
  });

  it.each([
    [
      'a series is described twice',
      'unique_id,lead_time_months\nA,2\nB,1\nA,2\n',
      CSV,
      'unique_id: line 4: "A" was already described by an earlier row; keep one row for each series',
    ],
    [
      'a value is wrong',
      'unique_id,lead_time_months\nA,0\n',
      CSV,
      'lead_time_months: line 2: must be a number of months greater than 0, up to 36',
    ],
    [
      'demand follows',
      '{"unique_id":"A","unit":"kg"}\n{"unique_id":"B","ds":"2026-01","y":1}\n',
      NDJSON,
      'ds: line 2: is given, but the rows before have no ds and y and only describe series; upload demand apart',
    ],
    [
      'it follows demand',
      '{"unique_id":"B","ds":"2026-01","y":1}\n{"unique_id":"A","unit":"kg"}\n',
      NDJSON,
      'ds: line 2: is missing; if the row only describes a series, upload it apart, with others that have no ds and y',
    ],
    [
      'a later row has a member for each month',
      '{"unique_id":"A","unit":"kg"}\n{"unique_id":"B","unit":"kg","2025-01":3,"2025-02":4}\n',
      NDJSON,
      '2025-01: line 2: is named after a date; use one row per series and date, with ds and y',
    ],
    [
      'the first row has a member for each month',
      '{"rows":[{"unique_id":"A","unit":"kg","Jan-25":3}]}',
      JSON_ROWS,
      'Jan-25: row 1: is named after a date; use one row per series and date, with ds and y',
    ],
    [
      'dates and quantities have other names, and nothing describes',
      '{"rows":[{"unique_id":"A","date":"2026-01","quantity":1}]}',
      JSON_ROWS,
      'ds: row 1: is missing',
    ],
    [
      'dates and quantities are null',
      '{"rows":[{"unique_id":"A","ds":null,"y":null,"product_name":"Beans"}]}',
      JSON_ROWS,
      'ds: row 1: is missing',
    ],
  ])('is rejected if %s', async (_what, body, headers, fault) => {
    expect(await refusalOf(body, headers)).toEqual([400, 'invalid_data', fault]);
  });

  it.each([
    'unique_id,product_name,2026-01,2026-02\nA,Beans,1,2\n',
    'unique_id,product_name,Jan-26,Feb-26\nA,Beans,1,2\n',
    'unique_id,product_name,2025,2026\nA,Beans,1,2\n',
    'unique_id,product_name,Jan,Feb\nA,Beans,1,2\n',
    'unique_id,colour\nA,brown\n',
  ])('is rejected for its header if that may be one of demand: %j', async (body) => {
    expect(await refusalOf(body)).toEqual([
      400,
      'invalid_data',
      expect.stringMatching(
        /^ds: line 1: the column is missing; the header has unique_id, .*; a file without ds and y describes series if it has one of product_name, .*, and no column named after a date$/,
      ),
    ]);
  });

  it('is rejected if months are to be filled, of which it has none', async () => {
    expect(await refusalOf('unique_id,unit\nA,kg\n', CSV, '?fill=zero')).toEqual([
      400,
      'invalid_request',
      'fill: can only be zero for an upload of demand; this one has no columns ds and y',
    ]);
  });

  it('limits a series to 50 further columns', async () => {
    const columns = Array.from({ length: 50 }, (_, at) => `column_${at}`);
    expect(await refusalOf(`unique_id,unit,${columns.join()}\nA,kg,${columns.join()}\n`)).toEqual([
      400,
      'invalid_data',
      'column_9: line 2: exceeds the 50 metadata columns that a series can have',
    ]);
  });

  it('is stored once for repetitions with an Idempotency-Key', async () => {
    const key = { ...CSV, 'idempotency-key': 'lead times' };
    const first = await send('unique_id,lead_time_months\nA,2\n', key);
    await send('unique_id,lead_time_months\nA,3\n');
    const again = await send('unique_id,lead_time_months\nA,2\n', key);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await described())['A']).toContain(3);
  });

  it('may be processed later, and by members', async () => {
    const { token } = await createMember(service.database, tenant.organizationId, 'member');
    const imports = `${service.url}/workspaces/${tenant.workspaceId}/imports`;
    const session = { authorization: `Bearer ${token}` };
    const ended = async (body: string): Promise<unknown> => {
      const { status, headers } = await upload(imports, body, { ...session, ...CSV, prefer: 'respond-async' });
      expect(status).toBe(202);
      return eventually('the import ends', async () => {
        const read = await fetch(service.url + headers.get('location')!, { headers: session });
        const { state, report, error } = (await read.json()) as Record<string, unknown>;
        return state === 'processing' ? undefined : { state, report, error };
      });
    };
    expect(await ended('unique_id,lead_time_months\nA,2\nB,3\n')).toMatchObject({
      state: 'completed',
      report: { rows: 2, series_updated: 2 },
    });
    expect(await ended('unique_id,lead_time_months\nX,2\n')).toMatchObject({
      state: 'failed',
      error: { code: 'invalid_data', errors: [{ param: 'unique_id' }] },
    });
    expect(await described()).toMatchObject({ A: expect.arrayContaining([2]), B: expect.arrayContaining([3]) });
  });
});
