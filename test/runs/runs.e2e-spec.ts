import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Feed } from '../odata/feed.js';
import { Api, demandCsv, pagesOf } from '../support/api.js';
import { createTenant, UNKNOWN_ID } from '../support/builders.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

type Row = { unique_id: string; ds: string };

describe('runs', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await tenantWithDemand(service, demandCsv(12, 48)));
  });
  afterAll(() => service.close());

  it('are answered with 202 and their location, and complete with metrics', async () => {
    const started = await api.post('/runs', { config_overrides: { horizon: 6 } });
    expect(started.status).toBe(202);
    expect(started.headers.get('retry-after')).toBe('60');
    expect(started.headers.get('location')).toBe(`/api/v1/runs/${String(started.body['id'])}`);
    expect(started.body).toMatchObject({
      status: 'queued',
      workspace_id: tenant.workspaceId,
      trigger: 'api',
      billed: 'quota',
      metrics: null,
      error: null,
    });

    const run = await api.ended(String(started.body['id']));
    expect(run).toMatchObject({
      status: 'completed',
      progress: { series_total: 12, series_done: 12 },
      config: { horizon: 6, models: ['auto'], seed: 1 },
    });
    const metrics = run['metrics'] as Record<string, unknown>;
    expect(metrics).toMatchObject({ series_forecast: 12, skipped: { total: 0 } });
    expect(metrics['mase']).toBeGreaterThan(0);
    expect(metrics['coverage']).toBeLessThanOrEqual(1);
  });

  it('give the same forecasts bit for bit with the same seed', async () => {
    const runs = [await api.run({ config_overrides: { seed: 7 } }), await api.run({ config_overrides: { seed: 7 } })];
    const [first, second] = await Promise.all(
      runs.map((run) => api.get<string>(`/runs/${run.id}/forecasts?limit=10000`, { accept: 'text/csv' })),
    );
    expect(second!.body).toBe(first!.body);
  });

  it('end the history at the cutoff and forecast only the requested series', async () => {
    const run = await api.run({
      config_overrides: {
        cutoff: '2023-06',
        horizon: 2,
        series: { unique_ids: ['P0001', 'P0002'] },
        models: ['theta', 'seasonal_naive'],
      },
    });
    const { body: rows } = await api.get<(Row & { model: string })[]>(`/runs/${run.id}/forecasts`);
    expect(rows.map((row) => [row.unique_id, row.ds])).toEqual([
      ['P0001', '2023-07-01'],
      ['P0001', '2023-08-01'],
      ['P0002', '2023-07-01'],
      ['P0002', '2023-08-01'],
    ]);
    for (const row of rows) expect(['theta', 'seasonal_naive']).toContain(row.model);
  });

  it('are listed newest first or by finish time, in pages', async () => {
    await Promise.all([1, 2, 3, 4].map((horizon) => api.run({ config_overrides: { horizon } })));
    const { body: all } = await api.get<{ id: string; finished_at: string }[]>('/runs?status=complete&limit=500');
    const since = all[2]!.finished_at;
    const { body: recent } = await api.get<{ finished_at: string }[]>(`/runs?status=completed&since=${since}`);
    expect(recent.every((run) => run.finished_at > since)).toBe(true);
    expect(recent).toHaveLength(all.filter((run) => run.finished_at > since).length);

    const collected: string[] = [];
    for await (const page of pagesOf<{ id: string }[]>(api, '/runs?limit=2'))
      collected.push(...page.map((run) => run.id));
    const { body: whole } = await api.get<{ id: string; created_at: string }[]>('/runs?limit=500');
    expect(collected).toEqual(whole.map((run) => run.id));
    const times = whole.map((run) => run.created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('are each listed once, even if several were requested at the same instant', async () => {
    const { tenant: own, api: client } = await tenantWithDemand(service, demandCsv(1, 24));
    for (let count = 0; count < 3; count += 1) await client.run({});
    await service.database.execute(
      `UPDATE runs SET created_at = '2026-01-01', finished_at = '2026-01-02' WHERE organization_id = $1`,
      [own.organizationId],
    );
    for (const query of ['', '&status=complete']) {
      const listed: string[] = [];
      for await (const page of pagesOf<{ id: string }[]>(client, `/runs?limit=1${query}`))
        listed.push(...page.map(({ id }) => id));
      expect(listed).toHaveLength(3);
      expect(listed).toEqual(listed.toSorted().reverse());
    }
  });

  it('are listed by finish time, latest first', async () => {
    const { tenant: own, api: client } = await tenantWithDemand(service, demandCsv(1, 24));
    const early = await client.run({});
    const late = await client.run({});
    await service.database.execute(
      `UPDATE runs SET finished_at = finished_at + interval '1 minute' WHERE id = $1 AND organization_id = $2`,
      [early.id, own.organizationId],
    );
    const listed = async (query: string) =>
      (await client.get<{ id: string }[]>(`/runs${query}`)).body.map(({ id }) => id);
    expect(await listed('?status=complete')).toEqual([early.id, late.id]);
    expect(await listed('')).toEqual([late.id, early.id]);
    for (const status of ['failed', 'canceled']) {
      await service.database.execute('UPDATE runs SET status = $2 WHERE organization_id = $1', [
        own.organizationId,
        status,
      ]);
      expect([status, await listed(`?status=${status}`)]).toEqual([status, [early.id, late.id]]);
    }
  });

  it.each([
    ['since=yesterday', 'since'],
    ['since=2026-02-30', 'since'],
    ['since=2026-11-21+01:00', 'since'],
    ['since=2026-11-21T06:00:00++01:00', 'since'],
    ['status=done', 'status'],
    ['limit=501', 'limit'],
    ['limit=%205', 'limit'],
    ['limit=+5', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=5E0', 'limit'],
    ['limit=5.0', 'limit'],
    ['limit=-5', 'limit'],
    ['cursor=W10', 'cursor'],
    ['page=2', 'page'],
  ])('refuse runs?%s naming %s', async (query, param) => {
    expect(await api.get(`/runs?${query}`)).toMatchObject({ status: 400, body: { errors: [{ param }] } });
  });

  it.each(['+01:30', '+0130', '%2B01:30'])('read since=2026-11-21T06:00:00%s', async (offset) => {
    expect((await api.get(`/runs?since=2026-11-21T06:00:00${offset}`)).status).toBe(200);
  });

  it('complete although their series were deleted since they were accepted', async () => {
    const { tenant: own, api: client } = await tenantWithDemand(service, demandCsv(1, 24));
    const { body } = await client.post<{ id: string }>('/runs', {});
    await client.ended(body.id);
    await service.database.execute(
      `WITH gone AS (DELETE FROM series WHERE workspace_id = $2)
       INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at)
       SELECT gen_random_uuid(), organization_id, workspace_id, 'queued', trigger, config, billed, created_at FROM runs WHERE id = $1`,
      [body.id, own.workspaceId],
    );
    const late = (await client.get<{ id: string }[]>('/runs')).body.find((run) => run.id !== body.id)!;
    expect(await client.ended(late.id)).toMatchObject({ status: 'completed', metrics: { series_forecast: 0 } });
  });

  it('are refunded when they fail by our fault', async () => {
    const { tenant: own, api: client } = await tenantWithDemand(service, demandCsv(1, 24));
    const { body } = await client.post<{ id: string }>('/runs', {});
    await client.ended(body.id);
    expect((await client.get('/usage')).body).toMatchObject({ used: 1 });
    // a configuration that the engine refuses stands in for a fault of the computation
    await service.database.execute(
      `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at)
       SELECT gen_random_uuid(), organization_id, workspace_id, 'queued', trigger, (config::jsonb || '{"models": []}')::json, billed, created_at FROM runs WHERE id = $1`,
      [body.id],
    );
    const failed = (await client.get<{ id: string }[]>('/runs')).body.find((run) => run.id !== body.id)!;
    const ended = await client.ended(failed.id);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'computation_failed' }, billed: null });
    expect((await client.get('/usage')).body).toMatchObject({ used: 0 });
    const feed = await new Feed(service.url, own.organizationKey).rows('Runs', { $orderby: 'billed' });
    expect(feed.map(({ id, billed }) => [id, billed])).toEqual([
      [failed.id, null],
      [body.id, 'quota'],
    ]);
  });

  it('are hidden from other tenants: their ids are answered like unknown ids', async () => {
    const other = await createTenant(service);
    const { id } = (await api.get<{ id: string }[]>('/runs?status=completed&limit=1')).body[0]!;
    for (const key of [other.workspaceKey, other.organizationKey]) {
      const foreign = new Api(service.url, key);
      for (const [method, path] of [
        ['get', ''],
        ['get', '/forecasts'],
        ['post', '/cancel'],
      ] as const) {
        const ask = (runId: string) =>
          method === 'get' ? foreign.get(`/runs/${runId}${path}`) : foreign.post(`/runs/${runId}${path}`, {});
        const [theirs, none, malformed] = [await ask(id), await ask(UNKNOWN_ID), await ask('nonsense')];
        const shape = ({ status, body }: typeof theirs) => ({ status, body: { ...body, request_id: '' } });
        expect(theirs.status).toBe(404);
        expect(shape(theirs)).toEqual(shape(none));
        expect(shape(malformed)).toEqual(shape(none));
      }
      expect((await foreign.get('/runs')).body).toEqual([]);
    }
    const bound = new Api(service.url, other.workspaceKey);
    const where = 'GET /api/v1/workspaces lists the workspaces that the key can access.';
    expect(await bound.get(`/runs?workspace_id=${tenant.workspaceId}`)).toMatchObject({
      status: 403,
      body: { code: 'workspace_forbidden', detail: `The API key is limited to another workspace. ${where}` },
    });
    expect(await bound.post('/runs', { workspace_id: tenant.workspaceId })).toMatchObject({
      status: 403,
      body: { code: 'workspace_forbidden' },
    });
    const wide = new Api(service.url, other.organizationKey);
    for (const workspaceId of [tenant.workspaceId, UNKNOWN_ID, 'Main']) {
      expect(await wide.get(`/runs?workspace_id=${workspaceId}`)).toMatchObject({
        status: 404,
        body: { detail: `The workspace does not exist. ${where}` },
      });
    }
    expect(await wide.post('/runs', { workspace_id: tenant.workspaceId })).toMatchObject({ status: 404 });
  });

  it('cannot be canceled once completed', async () => {
    const { id } = await api.run({});
    expect(await api.post(`/runs/${id}/cancel`, {})).toMatchObject({
      status: 409,
      body: { code: 'run_already_finished' },
    });
  });
});
