import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { countRows } from '../../src/platform/database/database.js';
import { Api, demandCsv } from '../support/api.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { Scrape } from '../support/scrape.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('a run that no worker picks up', () => {
  let service: TestService;
  let api: Api;

  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    ({ api } = await tenantWithDemand(service, demandCsv(2, 24)));
  });

  const start = async (headers: Record<string, string> = {}): Promise<string> =>
    (await api.post<{ id: string }>('/runs', {}, headers)).body.id;
  const used = async (): Promise<unknown> => (await api.get('/usage')).body['used'];

  /** As counted for operators. */
  const canceled = async (): Promise<number> =>
    new Scrape(await service.app.get(Metrics).text()).value('forecasting_runs_finished_total', {
      outcome: 'canceled',
    })!;

  it('asks clients to retry later, and has no results yet', async () => {
    const id = await start();
    expect((await api.get(`/runs/${id}`)).headers.get('retry-after')).toBe('60');
    expect(await api.get(`/runs/${id}/forecasts`)).toMatchObject({ status: 409, body: { code: 'run_not_completed' } });
  });

  it('costs nothing once canceled, and canceling it again changes nothing', async () => {
    const id = await start();
    await start();
    expect(await used()).toBe(2);
    const counted = await canceled();
    for (let time = 0; time < 2; time += 1) {
      expect(await api.post(`/runs/${id}/cancel`, {})).toMatchObject({
        status: 200,
        body: { status: 'canceled', billed: null },
      });
    }
    expect((await api.get<unknown[]>('/runs?status=canceled')).body).toHaveLength(1);
    expect(await used()).toBe(1);
    expect((await canceled()) - counted).toBe(1);
  });

  it('is charged when canceled after it began', async () => {
    const id = await start();
    await service.database.execute(`UPDATE runs SET status = 'running', started_at = now() WHERE id = $1`, [id]);
    expect((await api.post(`/runs/${id}/cancel`, {})).body).toMatchObject({ billed: 'quota' });
    expect(await used()).toBe(1);
  });

  it('leaves nothing of what it has computed when canceled', async () => {
    const id = await start();
    await service.database.execute(`UPDATE runs SET status = 'running', started_at = now() WHERE id = $1`, [id]);
    await service.database.execute(
      `INSERT INTO run_chunks (run_id, position, organization_id, workspace_id, done, series_ids)
       SELECT id, 0, organization_id, workspace_id, true, '{}' FROM runs WHERE id = $1`,
      [id],
    );
    await service.database.execute(
      `INSERT INTO forecasts (run_id, series_id, organization_id, workspace_id, unique_id, model, pattern, first_month, horizon,
         mean, quantiles, backtest, history_start, history)
       SELECT runs.id, series.id, runs.organization_id, runs.workspace_id, unique_id, 'naive', 'smooth', 24300, 1, '', '', '', 24300, ''
       FROM runs JOIN series ON series.workspace_id = runs.workspace_id WHERE runs.id = $1`,
      [id],
    );
    const left = async () =>
      Promise.all(
        ['forecasts', 'run_chunks'].map((table) =>
          countRows(service.database, `SELECT FROM ${table} WHERE run_id = $1`, [id]),
        ),
      );
    expect(await left()).toEqual([2, 1]);
    await api.post(`/runs/${id}/cancel`, {});
    expect(await left()).toEqual([0, 0]);
  });

  it('replays a repeated cancel by its Idempotency-Key, and refuses the key of another request', async () => {
    const [first, second] = [
      await start({ 'idempotency-key': 'start 1' }),
      await start({ 'idempotency-key': 'start 2' }),
    ];
    const cancel = (id: string, key: string) => api.post(`/runs/${id}/cancel`, {}, { 'idempotency-key': key });

    expect(await cancel(first, 'start 2')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect((await api.get(`/runs/${first}`)).body).toMatchObject({ status: 'queued' });

    const canceled = await cancel(first, 'cancel 1');
    expect(canceled).toMatchObject({ status: 200, body: { id: first, status: 'canceled' } });
    const repeated = await cancel(first.toUpperCase(), 'cancel 1');
    expect([repeated.status, repeated.body]).toEqual([200, canceled.body]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');

    expect(await cancel(second, 'cancel 1')).toMatchObject({ status: 422 });
    expect((await api.get(`/runs/${second}`)).body).toMatchObject({ status: 'queued' });
    expect(await cancel(second, 'k'.repeat(256))).toMatchObject({
      status: 400,
      body: { errors: [{ param: 'Idempotency-Key' }] },
    });
  });
});
