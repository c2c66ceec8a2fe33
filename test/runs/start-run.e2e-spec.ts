import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_RUN_CONFIG } from '../../src/runs/run-config.js';
import { Api, demandCsv } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { countLockWaiters, holdRows } from '../support/held-rows.js';
import { moveToMidday, TODAY } from '../support/time/midday.js';
import type { Reply } from '../support/reply.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('starting a run', () => {
  let service: TestService;
  let api: Api;

  beforeAll(async () => {
    service = await startTestService();
    const made = await tenantWithDemand(service, demandCsv(12, 48));
    ({ api } = made);
    await moveToMidday(service.database, made.tenant.workspaceId);
  });
  afterAll(() => service.close());

  it('accepts the configuration of another run', async () => {
    const first = await api.run({ config_overrides: { horizon: 2, models: ['theta'] } });
    expect(first['config']).toMatchObject({ cutoff: null, series: null });
    expect(await api.run({ config_overrides: first['config'] })).toMatchObject({ config: first['config'] });
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
    [{ cutoff: TODAY.toISOString().slice(0, 7) }, 'config_overrides.cutoff'],
    [{ cutoff: '2199-06-01' }, 'config_overrides.cutoff'],
    [{ series: { unique_ids: ['a\u0000'] } }, 'config_overrides.series.unique_ids'],
    [{ series: { unique_ids: ['P0001', '\ud800'] } }, 'config_overrides.series.unique_ids'],
    [{ series: { unique_ids: ['P0001', 'P0002', ' P0001'] } }, 'config_overrides.series.unique_ids'],
    [{ series: { category: '\udfff' } }, 'config_overrides.series.category'],
    [{ series: { category: 'a\u0000' } }, 'config_overrides.series.category'],
    [{ series: {} }, 'config_overrides.series.unique_ids'],
    [{ series: { unique_ids: ['p0001', 'gone'] } }, 'config_overrides.series.unique_ids'],
    [{ series: ['a'] }, 'config_overrides.series'],
    [{ outliers: 'drop' }, 'config_overrides.outliers'],
    [{ seed: -1 }, 'config_overrides.seed'],
  ])('refuses config_overrides %j naming %s', async (overrides, param) => {
    const before = await api.get('/usage');
    expect(await api.post('/runs', { config_overrides: overrides })).toMatchObject({
      status: 400,
      body: { errors: [{ param }] },
    });
    expect((await api.get('/usage')).body).toEqual(before.body);
  });

  it('forecasts the known series it names, and reports the others', async () => {
    const named = ['GONE', ' P0001 ', ...Array.from({ length: 150 }, (_, index) => `N${index}`), 'P0002'];
    const run = await api.run({ config_overrides: { horizon: 1, series: { unique_ids: named } } });
    const { skipped, series_forecast: forecast } = run['metrics'] as Record<string, Record<string, unknown>>;
    expect(forecast).toBe(2);
    expect(skipped).toMatchObject({ total: 151, by_reason: { unknown_series: 151 } });
    expect(skipped!['first']).toHaveLength(100);
    const detail = 'The series was not in the workspace when the run was planned.';
    expect((skipped!['first'] as unknown[]).slice(0, 2)).toEqual([
      { unique_id: 'GONE', reason: 'unknown_series', detail },
      { unique_id: 'N0', reason: 'unknown_series', detail },
    ]);
  });

  it('names the first series when the workspace has none of those requested', async () => {
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

  it('names the category when the workspace has no series in it', async () => {
    const overrides = { series: { category: ' Brakes "old" ' } };
    const message = 'the workspace has no series in the category "Brakes \\"old\\""';
    expect(await api.post('/runs', { config_overrides: overrides })).toMatchObject({
      status: 400,
      body: { code: 'no_usable_series', errors: [{ param: 'config_overrides.series.category', message }] },
    });
  });

  it('says so when none of the named series is in the category: their demand is not what is missing', async () => {
    const csv = 'unique_id,ds,y,category\nA,2026-01,1,Brakes\nB,2026-01,1,Wipers\n';
    const { api: client } = await tenantWithDemand(service, csv);
    const start = (...unique_ids: string[]) =>
      client.post('/runs', { config_overrides: { series: { unique_ids, category: 'Wipers' } } });
    const message = 'none of these series is in the category "Wipers"';
    expect(await start('A', 'C')).toMatchObject({
      status: 400,
      body: { code: 'no_usable_series', errors: [{ param: 'config_overrides.series.unique_ids', message }] },
    });
    expect((await start('A', 'B')).status).toBe(202);
  });

  it('succeeds for constant series that are too short for the named models, since every method forecasts them', async () => {
    const months = Array.from({ length: 10 }, (_, index) => `2025-${String(index + 1).padStart(2, '0')}`);
    const constant = `unique_id,ds,y\n${months.map((ds) => `K,${ds},4`).join('\n')}\n`;
    const { api: client } = await tenantWithDemand(service, constant);
    const run = await client.run({ config_overrides: { models: ['stl_ets'], horizon: 2 } });
    expect(run['metrics']).toMatchObject({ series_forecast: 1, models: { stl_ets: 1 } });
    const { body: rows } = await client.get<{ q50: number }[]>(`/runs/${run.id}/forecasts`);
    expect(rows.map((row) => row.q50)).toEqual([4, 4]);
    expect(await client.post('/runs', { config_overrides: { models: ['stl_ets'], min_history: 11 } })).toMatchObject({
      status: 400,
      body: { code: 'no_usable_series' },
    });
  });

  it('charges nothing when there is nothing to forecast', async () => {
    const empty = await createTenant(service);
    const client = new Api(service.url, empty.organizationKey);
    expect(await client.post('/runs', { workspace_id: empty.workspaceId })).toMatchObject({
      status: 400,
      body: {
        code: 'no_usable_series',
        detail: expect.stringMatching(
          /\. Upload demand with POST \/api\/v1\/actuals, or as a member with POST \/workspaces\/\{workspace_id\}\/imports\.$/,
        ),
      },
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
      ['min_history', 3],
      ['cutoff', '2025-12'],
      ['models', ['stl_ets', 'theta']],
    ] as const) {
      const run = { workspace_id: empty.workspaceId, config_overrides: { [param]: value } };
      expect(await client.post('/runs', run)).toMatchObject(refused(param));
    }
    expect((await client.get('/usage')).body).toMatchObject({ used: 0 });
  });

  it('succeeds exactly as often as the quota allows, however many start at once', async () => {
    const { tenant: own, api: client } = await tenantWithDemand(service, demandCsv(1, 24));
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

  it('concurrently in one organization leaves database connections to others', async () => {
    const { tenant: own, api: client } = await tenantWithDemand(service, demandCsv(1, 24));
    await using workspace = await holdRows(service.database, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [
      own.workspaceId,
    ]);
    const starts = Array.from({ length: 3 * service.settings.DATABASE_POOL }, () => client.post('/runs', {}));
    await workspace.untilAwaitedBy(2);
    expect((await api.get('/runs?limit=1')).status).toBe(200);
    expect(await countLockWaiters(service.database)).toBe(2);
    await workspace.release();
    expect(new Set((await Promise.all(starts)).map(({ status }) => status))).toEqual(new Set([202]));
  });

  it('creates one run for an Idempotency-Key sent a hundred times at once through both routes', async () => {
    const { api: client } = await tenantWithDemand(service, demandCsv(1, 24));
    const headers = { 'idempotency-key': 'retry-me' };
    const send = async (path: string): Promise<Reply<{ id: string; code?: string }>> => {
      const reply = await client.post<{ id: string; code?: string }>(path, {}, headers);
      // the first is still at work, as it is for long on a busy machine
      return reply.body.code === 'idempotency_key_in_use' ? send(path) : reply;
    };
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => send(index % 2 === 0 ? '/runs' : '/forecasts')),
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

  it('is replayed under its Idempotency-Key after an upgrade that changes a default', async () => {
    const { api: client } = await tenantWithDemand(service, demandCsv(1, 24));
    const headers = { 'idempotency-key': 'over an upgrade' };
    const first = await client.post<{ id: string }>('/runs', { config_overrides: { horizon: 2 } }, headers);
    const { outliers } = DEFAULT_RUN_CONFIG;
    Object.assign(DEFAULT_RUN_CONFIG, { outliers: 'keep' });
    try {
      expect(await client.post('/runs', { config_overrides: { horizon: 2 } }, headers)).toMatchObject({
        status: 202,
        body: { id: first.body.id },
      });
    } finally {
      Object.assign(DEFAULT_RUN_CONFIG, { outliers });
    }
  });
});
