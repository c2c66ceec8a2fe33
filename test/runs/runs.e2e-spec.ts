import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Feed } from '../odata/feed.js';
import { Api, demandCsv, nextPage } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

type Row = { unique_id: string; ds: string; q10: number; q50: number; q90: number; final?: number };
type Tenant = Awaited<ReturnType<typeof createTenant>>;

describe('runs', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;

  beforeAll(async () => {
    service = await startTestService();
    tenant = await createTenant(service);
    api = new Api(service.url, tenant.workspaceKey);
    expect((await api.upload(tenant.workspaceId, demandCsv(12, 48))).status).toBe(200);
  });
  afterAll(() => service.close());

  it('answers 202 with the address of a queued run, which completes with metrics', async () => {
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

  it('serves the forecast rows ordered, finite and not negative, as JSON and as CSV', async () => {
    const run = await api.run({ config_overrides: { horizon: 6 } });
    const { body: rows } = await api.get<Row[]>(`/runs/${run.id}/forecasts?limit=10000`);
    expect(rows).toHaveLength(72);
    expect(rows[0]).toMatchObject({ unique_id: 'P0000', ds: '2024-01-01', product_name: null, metadata: {} });
    for (const row of rows)
      expect(0 <= row.q10 && row.q10 <= row.q50 && row.q50 <= row.q90 && Number.isFinite(row.q90)).toBe(true);

    const csv = await api.get<string>(`/runs/${run.id}/forecasts?limit=10000`, { accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = csv.body.trim().split('\r\n');
    expect(lines[0]).toBe('unique_id,ds,q10,q50,q90,product_name,category,unit,model,metadata');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 5))).toEqual(
      rows.map((row) => [row.unique_id, row.ds, String(row.q10), String(row.q50), String(row.q90)]),
    );
  });

  it('pages through rows without losing or repeating one, at any page size', async () => {
    const run = await api.run({ config_overrides: { horizon: 5 } });
    const { body: all } = await api.get<Row[]>(`/runs/${run.id}/forecasts?limit=10000`);
    for (const limit of [1, 4, 7, 60, 61]) {
      const collected: Row[] = [];
      let path: string | undefined = `/runs/${run.id}/forecasts?limit=${limit}`;
      while (path !== undefined) {
        const page: { body: Row[]; headers: Headers } = await api.get<Row[]>(path);
        expect(page.body.length).toBeLessThanOrEqual(limit);
        collected.push(...page.body);
        path = nextPage(page.headers);
      }
      expect(collected).toEqual(all);
    }
  });

  it('narrows rows to a series and to months', async () => {
    const run = await api.run({ config_overrides: { horizon: 6 } });
    const { body: rows } = await api.get<Row[]>(`/runs/${run.id}/forecasts?series_id=P0003&from=2024-02&to=2024-04-01`);
    expect(rows.map((row) => [row.unique_id, row.ds])).toEqual([
      ['P0003', '2024-02-01'],
      ['P0003', '2024-03-01'],
      ['P0003', '2024-04-01'],
    ]);
    expect((await api.get(`/runs/${run.id}/forecasts?series_id=unknown`)).status).toBe(404);
    expect((await api.get(`/runs/${run.id}/forecasts?from=2024-05&to=2024-01`)).status).toBe(400);
  });

  it('gives the same forecasts to the bit for the same seed', async () => {
    const runs = [await api.run({ config_overrides: { seed: 7 } }), await api.run({ config_overrides: { seed: 7 } })];
    const [first, second] = await Promise.all(
      runs.map((run) => api.get<string>(`/runs/${run.id}/forecasts?limit=10000`, { accept: 'text/csv' })),
    );
    expect(second!.body).toBe(first!.body);
  });

  it('ends the history at the cutoff and forecasts only the series asked for', async () => {
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

  it('refuses to read results before the end, and cancels, at no charge before it is taken up', async () => {
    const paused = await startTestService({ role: 'api' });
    try {
      const own = await createTenant(paused);
      const client = new Api(paused.url, own.workspaceKey);
      await client.upload(own.workspaceId, demandCsv(2, 24));
      const { body } = await client.post<{ id: string }>('/runs', {});
      const used = async (): Promise<unknown> => (await client.get('/usage')).body['used'];
      expect(await used()).toBe(1);
      expect((await client.get(`/runs/${body.id}`)).headers.get('retry-after')).toBe('60');
      expect(await client.get(`/runs/${body.id}/forecasts`)).toMatchObject({
        status: 409,
        body: { code: 'run_not_completed' },
      });
      expect(await client.post(`/runs/${body.id}/cancel`, {})).toMatchObject({
        status: 200,
        body: { status: 'canceled', billed: null },
      });
      expect(await client.post(`/runs/${body.id}/cancel`, {})).toMatchObject({
        status: 200,
        body: { status: 'canceled', billed: null },
      });
      expect((await client.get<unknown[]>('/runs?status=canceled')).body).toHaveLength(1);
      expect(await used()).toBe(0);

      const begun = await client.post<{ id: string }>('/runs', {});
      await paused.database.execute(`UPDATE runs SET status = 'running', started_at = now() WHERE id = $1`, [
        begun.body.id,
      ]);
      expect((await client.post(`/runs/${begun.body.id}/cancel`, {})).body).toMatchObject({ billed: 'quota' });
      expect(await used()).toBe(1);
    } finally {
      await paused.close();
    }
    const done = await api.run({});
    expect(await api.post(`/runs/${done.id}/cancel`, {})).toMatchObject({
      status: 409,
      body: { code: 'run_already_finished' },
    });
  });

  it('answers a repeated cancel by its Idempotency-Key as it did first, and takes no key of another request', async () => {
    const paused = await startTestService({ role: 'api' });
    try {
      const own = await createTenant(paused);
      const client = new Api(paused.url, own.workspaceKey);
      await client.upload(own.workspaceId, demandCsv(2, 24));
      const start = async (key: string) => client.post<{ id: string }>('/runs', {}, { 'idempotency-key': key });
      const [first, second] = [(await start('start 1')).body, (await start('start 2')).body];
      const cancel = (id: string, key: string) => client.post(`/runs/${id}/cancel`, {}, { 'idempotency-key': key });

      expect(await cancel(first.id, 'start 2')).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
      expect((await client.get(`/runs/${first.id}`)).body).toMatchObject({ status: 'queued' });

      const canceled = await cancel(first.id, 'cancel 1');
      expect(canceled).toMatchObject({ status: 200, body: { id: first.id, status: 'canceled' } });
      const repeated = await cancel(first.id.toUpperCase(), 'cancel 1');
      expect([repeated.status, repeated.body]).toEqual([200, canceled.body]);
      expect(repeated.headers.get('idempotent-replayed')).toBe('true');

      expect(await cancel(second.id, 'cancel 1')).toMatchObject({ status: 422 });
      expect((await client.get(`/runs/${second.id}`)).body).toMatchObject({ status: 'queued' });
      expect(await cancel(second.id, 'k'.repeat(256))).toMatchObject({
        status: 400,
        body: { errors: [{ param: 'Idempotency-Key' }] },
      });
    } finally {
      await paused.close();
    }
  });

  it('lists runs newest first and by time of finish, page by page', async () => {
    const { body: all } = await api.get<{ id: string; finished_at: string }[]>('/runs?status=complete&limit=500');
    expect(all.length).toBeGreaterThan(3);
    const since = all[2]!.finished_at;
    const { body: recent } = await api.get<{ finished_at: string }[]>(`/runs?status=completed&since=${since}`);
    expect(recent.every((run) => run.finished_at > since)).toBe(true);
    expect(recent).toHaveLength(all.filter((run) => run.finished_at > since).length);

    const collected: unknown[] = [];
    let path: string | undefined = '/runs?limit=2';
    while (path !== undefined) {
      const page: { body: { id: string }[]; headers: Headers } = await api.get<{ id: string }[]>(path);
      collected.push(...page.body.map((run) => run.id));
      path = nextPage(page.headers);
    }
    const { body: whole } = await api.get<{ id: string; created_at: string }[]>('/runs?limit=500');
    expect(collected).toEqual(whole.map((run) => run.id));
    const times = whole.map((run) => run.created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=10001', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['apply_overrides=yes', 'apply_overrides'],
    ['from=2024', 'from'],
    ['to=2024-13', 'to'],
    ['cursor=zzz', 'cursor'],
    [`cursor=${Buffer.from('["P","x"]').toString('base64url')}`, 'cursor'],
    ['unknown=1', 'unknown'],
  ])('refuses forecasts?%s naming %s', async (query, param) => {
    const { id } = (await api.get<{ id: string }[]>('/runs?status=completed&limit=1')).body[0]!;
    const reply = await api.get<{ errors: { param: string }[] }>(`/runs/${id}/forecasts?${query}`);
    expect([reply.status, reply.body.errors?.[0]?.param]).toEqual([400, param]);
  });

  it.each([
    ['since=yesterday', 'since'],
    ['since=2026-02-30', 'since'],
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
  ])('refuses runs?%s naming %s', async (query, param) => {
    const reply = await api.get<{ errors: { param: string }[] }>(`/runs?${query}`);
    expect([reply.status, reply.body.errors?.[0]?.param]).toEqual([400, param]);
  });

  it.each([
    [{ horizon: 0 }, 'config_overrides.horizon'],
    [{ horizon: 37 }, 'config_overrides.horizon'],
    [{ horizon: '12' }, 'config_overrides.horizon'],
    [{ horizon: null }, 'config_overrides.horizon'],
    [{ models: ['magic'] }, 'config_overrides.models'],
    [{ models: [] }, 'config_overrides.models'],
    [{ horizn: 3 }, 'config_overrides.horizn'],
    [{ backtest_windows: 7 }, 'config_overrides.backtest_windows'],
    [{ min_history: 0 }, 'config_overrides.min_history'],
    [{ cutoff: '2024-99' }, 'config_overrides.cutoff'],
    [{ cutoff: new Date().toISOString().slice(0, 7) }, 'config_overrides.cutoff'],
    [{ cutoff: '2199-06-01' }, 'config_overrides.cutoff'],
    [{ series: { unique_ids: ['a\u0000'] } }, 'config_overrides.series.unique_ids'],
    [{ series: { unique_ids: ['P0001', '\ud800'] } }, 'config_overrides.series.unique_ids'],
    [{ series: { unique_ids: ['P0001', 'P0002', 'P0001'] } }, 'config_overrides.series.unique_ids'],
    [{ series: { category: '\udfff' } }, 'config_overrides.series.category'],
    [{ series: { category: 'a\u0000' } }, 'config_overrides.series.category'],
    [{ series: {} }, 'config_overrides.series.unique_ids'],
    [{ series: { unique_ids: ['p0001', 'gone'] } }, 'config_overrides.series.unique_ids'],
    [{ series: ['a'] }, 'config_overrides.series'],
    [{ outliers: 'drop' }, 'config_overrides.outliers'],
    [{ seed: -1 }, 'config_overrides.seed'],
  ])('refuses config_overrides %j naming %s', async (overrides, param) => {
    const before = await api.get('/usage');
    const reply = await api.post<{ errors: { param: string }[] }>('/runs', { config_overrides: overrides });
    expect([reply.status, reply.body.errors?.[0]?.param]).toEqual([400, param]);
    expect((await api.get('/usage')).body).toEqual(before.body);
  });

  it('says how the + of an offset is written in a query', async () => {
    const { detail } = (await api.get<{ detail: string }>('/runs?since=2026-11-21T06:00:00+01:00')).body;
    expect(detail).toMatch(/^since: must be an ISO 8601 .*; write the \+ of its offset as %2B$/);
    expect((await api.get('/runs?since=2026-11-21T06:00:00%2B01:00')).status).toBe(200);
    expect((await api.get<{ detail: string }>('/runs?since=tomorrow')).body.detail).not.toContain('%2B');
  });

  it('forecasts the known ones of the series it names, and tells of the others', async () => {
    const named = ['GONE', 'P0001', ...Array.from({ length: 150 }, (_, index) => `N${index}`), 'P0002'];
    const run = await api.run({ config_overrides: { horizon: 1, series: { unique_ids: named } } });
    const { skipped, series_forecast: forecast } = run['metrics'] as Record<string, Record<string, unknown>>;
    expect(forecast).toBe(2);
    expect(skipped).toMatchObject({ total: 151, by_reason: { unknown_series: 151 } });
    expect(skipped!['first']).toHaveLength(100);
    const detail = 'The workspace had no such series when the run was planned.';
    expect((skipped!['first'] as unknown[]).slice(0, 2)).toEqual([
      { unique_id: 'GONE', reason: 'unknown_series', detail },
      { unique_id: 'N0', reason: 'unknown_series', detail },
    ]);
  });

  it('names the first series where the workspace has none of those asked for', async () => {
    const named = Array.from({ length: 7 }, (_, index) => `N${index}`);
    expect(await api.post('/runs', { config_overrides: { series: { unique_ids: named } } })).toMatchObject({
      status: 400,
      body: {
        code: 'no_usable_series',
        detail:
          'config_overrides.series.unique_ids: the workspace has no series "N0", "N1", "N2", "N3", "N4" and 2 more',
      },
    });
  });

  it('starts for constant series that are too short for the models named: every method forecasts them', async () => {
    const own = await createTenant(service);
    const client = new Api(service.url, own.workspaceKey);
    const months = Array.from({ length: 10 }, (_, index) => `2025-${String(index + 1).padStart(2, '0')}`);
    await client.upload(own.workspaceId, `unique_id,ds,y\n${months.map((ds) => `K,${ds},4`).join('\n')}\n`);
    const run = await client.run({ config_overrides: { models: ['stl_ets'], horizon: 2 } });
    expect(run['metrics']).toMatchObject({ series_forecast: 1, models: { stl_ets: 1 } });
    const { body: rows } = await client.get<Row[]>(`/runs/${run.id}/forecasts`);
    expect(rows.map((row) => row.q50)).toEqual([4, 4]);
    expect(await client.post('/runs', { config_overrides: { models: ['stl_ets'], min_history: 11 } })).toMatchObject({
      status: 400,
      body: { code: 'no_usable_series' },
    });
  });

  it('charges nothing where there is nothing to forecast', async () => {
    const empty = await createTenant(service);
    const client = new Api(service.url, empty.organizationKey);
    expect(await client.post('/runs', { workspace_id: empty.workspaceId })).toMatchObject({
      status: 400,
      body: { code: 'no_usable_series' },
    });
    expect(await client.post('/runs', {})).toMatchObject({
      status: 400,
      body: { errors: [{ param: 'workspace_id' }] },
    });
    expect((await client.get('/usage')).body).toMatchObject({ used: 0 });
    await client.upload(empty.workspaceId, 'unique_id,ds,y\nA,2026-01,1\nA,2026-03,2\n');
    const refused = (param: string) => ({
      status: 400,
      body: { code: 'no_usable_series', errors: [{ param: `config_overrides.${param}` }] },
    });
    for (const [param, value] of [
      ['series', { category: 'none' }],
      ['min_history', 3],
      ['cutoff', '2025-12'],
      ['models', ['stl_ets', 'theta']],
    ] as const) {
      const run = { workspace_id: empty.workspaceId, config_overrides: { [param]: value } };
      expect(await client.post('/runs', run)).toMatchObject(refused(param));
    }
    expect((await client.get('/usage')).body).toMatchObject({ used: 0 });
  });

  it('starts exactly what is left of the quota, however many start at once', async () => {
    const own = await createTenant(service);
    const client = new Api(service.url, own.workspaceKey);
    await client.upload(own.workspaceId, demandCsv(1, 24));
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), 193)`,
      [own.organizationId],
    );
    const replies = await Promise.all(Array.from({ length: 200 }, () => client.post('/runs', {})));
    expect(replies.filter((reply) => reply.status === 202)).toHaveLength(7);
    const refused = replies.filter((reply) => reply.status === 402);
    expect(refused).toHaveLength(193);
    expect(refused[0]!.body).toMatchObject({ code: 'quota_exceeded', quota: 200, used: 200 });
    expect((await client.get<unknown[]>('/runs?limit=500')).body).toHaveLength(7);
  });

  it('starts one run for an Idempotency-Key sent a hundred times at once, through both routes', async () => {
    const own = await createTenant(service);
    const client = new Api(service.url, own.workspaceKey);
    await client.upload(own.workspaceId, demandCsv(1, 24));
    const headers = { 'idempotency-key': 'retry-me' };
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        client.post<{ id: string }>(index % 2 === 0 ? '/runs' : '/forecasts', {}, headers),
      ),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([202]));
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true')).toHaveLength(99);
    expect((await client.get<unknown[]>('/runs')).body).toHaveLength(1);
    expect((await client.get('/usage')).body).toMatchObject({ used: 1 });
    expect(await client.post('/runs', { config_overrides: { horizon: 3 } }, headers)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });

  it('completes a run whose series have gone since it was accepted', async () => {
    const own = await createTenant(service);
    const client = new Api(service.url, own.workspaceKey);
    await client.upload(own.workspaceId, demandCsv(1, 24));
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

  it('gives the quota back when a run fails by our fault', async () => {
    const own = await createTenant(service);
    const client = new Api(service.url, own.workspaceKey);
    await client.upload(own.workspaceId, demandCsv(1, 24));
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
  }, 60_000);

  it('shows another tenant nothing: its ids are answered like ids that do not exist', async () => {
    const other = await createTenant(service);
    const { id } = (await api.get<{ id: string }[]>('/runs?status=completed&limit=1')).body[0]!;
    for (const key of [other.workspaceKey, other.organizationKey]) {
      const foreign = new Api(service.url, key);
      const unknown = '019a8f3c-0000-7000-8000-00000000dead';
      for (const [method, path] of [
        ['get', ''],
        ['get', '/forecasts'],
        ['post', '/cancel'],
      ] as const) {
        const ask = (runId: string) =>
          method === 'get' ? foreign.get(`/runs/${runId}${path}`) : foreign.post(`/runs/${runId}${path}`, {});
        const [theirs, none, malformed] = [await ask(id), await ask(unknown), await ask('nonsense')];
        const shape = ({ status, body }: typeof theirs) => ({ status, body: { ...body, request_id: '' } });
        expect(theirs.status).toBe(404);
        expect(shape(theirs)).toEqual(shape(none));
        expect(shape(malformed)).toEqual(shape(none));
      }
      expect((await foreign.get('/runs')).body).toEqual([]);
    }
    const bound = new Api(service.url, other.workspaceKey);
    expect(await bound.get(`/runs?workspace_id=${tenant.workspaceId}`)).toMatchObject({
      status: 403,
      body: { code: 'workspace_forbidden' },
    });
    expect(await bound.post('/runs', { workspace_id: tenant.workspaceId })).toMatchObject({
      status: 403,
      body: { code: 'workspace_forbidden' },
    });
    const wide = new Api(service.url, other.organizationKey);
    expect(await wide.get(`/runs?workspace_id=${tenant.workspaceId}`)).toMatchObject({ status: 404 });
    expect(await wide.post('/runs', { workspace_id: tenant.workspaceId })).toMatchObject({ status: 404 });
  });
});
