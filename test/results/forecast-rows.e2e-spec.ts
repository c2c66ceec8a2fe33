import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeCursor } from '../../src/platform/http/pagination.js';
import { Api, demandCsv, pagesOf } from '../support/api.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

type Row = { unique_id: string; ds: string; q10: number; q50: number; q90: number; mean: number };

describe('the forecast rows of a run', () => {
  let service: TestService;
  let api: Api;
  let runId: string;

  beforeAll(async () => {
    service = await startTestService();
    ({ api } = await tenantWithDemand(service, demandCsv(12, 48)));
    runId = (await api.run({ config_overrides: { horizon: 6 } })).id;
  });
  afterAll(() => service.close());

  it('are ordered, finite and not negative, as JSON and as CSV', async () => {
    const { body: rows } = await api.get<Row[]>(`/runs/${runId}/forecasts?limit=10000`);
    expect(rows).toHaveLength(72);
    expect(rows[0]).toMatchObject({ unique_id: 'P0000', ds: '2024-01-01', product_name: null, metadata: {} });
    for (const row of rows)
      expect(0 <= row.q10 && row.q10 <= row.q50 && row.q50 <= row.q90 && Number.isFinite(row.q90)).toBe(true);

    const csv = await api.get<string>(`/runs/${runId}/forecasts?limit=10000`, { accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="forecasts-${runId}.csv"`);
    const lines = csv.body.trim().split('\r\n');
    expect(lines[0]).toBe('unique_id,ds,q10,q50,q90,product_name,category,unit,model,metadata,mean');
    const cells = lines.slice(1).map((line) => line.split(','));
    expect(cells.map((row) => [...row.slice(0, 5), row.at(-1)])).toEqual(
      rows.map(({ unique_id, ds, ...row }) => [unique_id, ds, ...[row.q10, row.q50, row.q90, row.mean].map(String)]),
    );
  });

  it('have the monthly mean that the series forecast has', async () => {
    const { body: rows } = await api.get<Row[]>(`/runs/${runId}/forecasts?series_id=P0003&from=2024-02`);
    const { body: forecast } = await api.get<{ months: Row[] }>(`/series/P0003/forecast?run_id=${runId}`);
    expect(rows.map(({ mean }) => mean)).toEqual(forecast.months.slice(1).map(({ mean }) => mean));
  });

  it('are paged without loss or repetition at any page size', async () => {
    const { body: all } = await api.get<Row[]>(`/runs/${runId}/forecasts?limit=10000`);
    for (const limit of [1, 4, 7, 60, 72, 73]) {
      const collected: Row[] = [];
      for await (const page of pagesOf<Row[]>(api, `/runs/${runId}/forecasts?limit=${limit}`)) {
        expect(page.length).toBeLessThanOrEqual(limit);
        collected.push(...page);
      }
      expect(collected).toEqual(all);
    }
  });

  it('can be filtered by series and by month', async () => {
    const { body: rows } = await api.get<Row[]>(`/runs/${runId}/forecasts?series_id=P0003&from=2024-02&to=2024-04-01`);
    expect(rows.map((row) => [row.unique_id, row.ds])).toEqual([
      ['P0003', '2024-02-01'],
      ['P0003', '2024-03-01'],
      ['P0003', '2024-04-01'],
    ]);
    const monthsOf = async (narrowed: string) =>
      (await api.get<Row[]>(`/runs/${runId}/forecasts?series_id=P0003${narrowed}`)).body.map(({ ds }) => ds);
    const months = await monthsOf('');
    const [first, last] = [months[0]!, months.at(-1)!];
    expect([await monthsOf(`&to=${first}`), await monthsOf(`&from=${last}`)]).toEqual([[first], [last]]);
    expect((await api.get(`/runs/${runId}/forecasts?series_id=unknown`)).status).toBe(404);
    expect((await api.get(`/runs/${runId}/forecasts?from=2024-05&to=2024-01`)).status).toBe(400);
  });

  it.each(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'])('accept apply_overrides=%s', async (value) => {
    const reply = await api.get<Row[]>(`/runs/${runId}/forecasts?limit=1&apply_overrides=${value}`);
    expect(reply.status).toBe(200);
    expect('final' in reply.body[0]!).toBe(value.toLowerCase() === 'true');
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=10001', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['apply_overrides=yes', 'apply_overrides'],
    ['apply_overrides=', 'apply_overrides'],
    ['apply_overrides=1', 'apply_overrides'],
    ['apply_overrides=true&apply_overrides=true', 'apply_overrides'],
    ['from=2024', 'from'],
    ['to=2024-13', 'to'],
    ['cursor=zzz', 'cursor'],
    [`cursor=${encodeCursor(['forecast_rows', 'P', 'x'])}`, 'cursor'],
    ['unknown=1', 'unknown'],
  ])('are refused for %s, naming %s', async (query, param) => {
    expect(await api.get(`/runs/${runId}/forecasts?${query}`)).toMatchObject({
      status: 400,
      body: { errors: [{ param }] },
    });
  });
});
