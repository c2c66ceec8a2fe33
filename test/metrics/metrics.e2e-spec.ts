import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { listenForScrapes, type MetricsListener } from '../../src/start/metrics-listener.js';
import { Api, demandCsv } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { type CuttableService, startCuttableService } from '../support/cuttable.js';
import { Scrape } from '../support/scrape.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';

const OPEN_METRICS = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

const listen = (service: TestService): Promise<MetricsListener> =>
  listenForScrapes({ host: '127.0.0.1', port: 0 }, service.app.get(Metrics), createLogger(service.settings));

const isCounted = (value: number | undefined): boolean => value !== undefined && value > 0;

describe('the metrics', () => {
  let service: TestService;
  let listener: MetricsListener;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let api: Api;
  beforeAll(async () => {
    service = await startTestService({ environment: { LOG_LEVEL: 'silent' } });
    listener = await listen(service);
    tenant = await createTenant(service, { name: 'Canary Works' });
    api = new Api(service.url, tenant.workspaceKey);
  });
  afterAll(async () => {
    await listener.close();
    await service.close();
  });

  const scrape = (): Promise<Scrape> => Scrape.of(listener.url);
  /** The scrape whose sample has the value. */
  const settled = (name: string, labels: Record<string, string>, value: number): Promise<Scrape> =>
    eventually(`${name} is ${value}`, async () => {
      const scraped = await scrape();
      return scraped.value(name, labels) === value ? scraped : undefined;
    });

  /** Has demand to forecast, and a run that has ended. */
  const computed = async (): Promise<{ id: string }> => {
    await api.upload(tenant.workspaceId, demandCsv(3, 30));
    return api.run({});
  };

  it('follow requests, imports and runs', async () => {
    expect((await scrape()).value('forecasting_imports_finished_total', { outcome: 'completed' })).toBe(0);
    const { id } = await computed();
    const ended = await settled('forecasting_runs_finished_total', { outcome: 'completed' }, 1);
    expect(ended.value('forecasting_imports_finished_total', { outcome: 'completed' })).toBe(1);
    expect(ended.value('forecasting_import_rows_total')).toBe(90);
    expect(ended.value('forecasting_series_computed_total', { outcome: 'forecast' })).toBe(3);
    expect(ended.value('forecasting_run_duration_seconds_count', { outcome: 'completed' })).toBe(1);
    expect(ended.value('forecasting_run_duration_seconds_sum')).toBeGreaterThan(0);
    expect(ended.value('forecasting_engine_task_duration_seconds_count', { kind: 'fit' })).toBe(1);
    expect(ended.value('forecasting_wake_ups_total', { outcome: 'enqueued' })).toBeGreaterThanOrEqual(1);
    expect(ended.value('forecasting_worker_slots')).toBe(3);
    const asked = { method: 'GET', route: '/api/v1/runs/:run_id/series-metrics', status: '2xx' };
    await api.get(`/runs/${id}/series-metrics`);
    await settled('forecasting_http_request_duration_seconds_count', asked, 1);
  });

  it('count what the feed does not support with the errors of clients, so that it raises no alert', async () => {
    const route = '/odata/v4/:resource';
    const reply = await fetch(`${service.url}/odata/v4/Series?$search=a`, {
      headers: { 'x-api-key': tenant.workspaceKey },
    });
    expect(reply.status).toBe(501);
    const counted = await settled('forecasting_http_request_duration_seconds_count', { route, status: '4xx' }, 1);
    expect(counted.value('forecasting_http_request_duration_seconds_count', { route, status: '5xx' })).toBeUndefined();
  });

  it('show the backlog in the database and its age, until it is done', async () => {
    await computed();
    await service.database.execute(
      // held once, and to be left alone for a while: what nobody has held, or waits for longer than any lease, is taken up
      `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, wake_at, lease_epoch)
       SELECT gen_random_uuid(), organization_id, workspace_id, 'queued', trigger, config, billed, now() - interval '1 hour',
              now() + interval '10 minutes', 1
         FROM runs LIMIT 1`,
    );
    const queued = { backlog: 'runs', state: 'queued' };
    const waiting = await settled('forecasting_backlog_items', queued, 1);
    expect(waiting.value('forecasting_backlog_oldest_seconds', queued)).toBeGreaterThanOrEqual(3_600);
    await service.database.execute(`DELETE FROM runs WHERE status = 'queued'`);
    const done = await settled('forecasting_backlog_items', queued, 0);
    expect(done.value('forecasting_backlog_oldest_seconds', queued)).toBe(0);
    for (const backlog of ['run_chunks', 'imports', 'connector_syncs', 'webhooks', 'mails', 'meter_events'])
      expect([backlog, done.value('forecasting_backlog_items', { backlog })]).toEqual([backlog, 0]);
  });

  it('count a request in flight, and one whose client disconnects', async () => {
    const headers = { 'x-api-key': tenant.workspaceKey, 'content-type': 'text/csv', 'content-length': '1000' };
    const upload = request(`${service.url}/api/v1/actuals`, { method: 'POST', headers });
    upload.on('error', () => undefined); // it is cut on purpose
    upload.write('unique_id,ds,y\n');
    await settled('forecasting_http_requests_in_flight', {}, 1);
    upload.destroy();
    const hungUp = await settled('forecasting_http_requests_in_flight', {}, 0);
    expect(hungUp.value('forecasting_http_request_duration_seconds_count', { method: 'POST', status: 'aborted' })).toBe(
      1,
    );
  });

  it('contain no tenant data and no client input in any label', async () => {
    const { id } = await computed();
    for (const path of [
      `/runs/${id}?stranger=canary-query`,
      `/runs/canary-path-${tenant.workspaceKey}`,
      `/nowhere/${tenant.organizationId}/${tenant.workspaceKey}`,
      `/series/canary-series/forecast?run_id=${id}`,
    ])
      await api.get(path);
    await fetch(`${service.url}/canary-outside`, { method: 'PROPFIND' });
    const { text } = await settled('forecasting_http_request_duration_seconds_count', { method: 'other' }, 1);
    expect(text).not.toMatch(/canary/i);
    expect(text).not.toMatch(/fk_|[0-9a-f]{8}-[0-9a-f]{4}-/);
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, route]) => route));
    expect([...routes]).toContain('none');
    for (const secret of [id, ...Object.values(tenant), 'Canary Works']) expect(text).not.toContain(secret);
  });

  it('end in _total for counters only', async () => {
    const types = (await scrape()).text.split('\n').filter((line) => line.startsWith('# TYPE '));
    expect(types.length).toBeGreaterThan(20);
    expect(types.filter((line) => line.includes('_total ') !== line.endsWith(' counter'))).toEqual([]);
  });

  it('are sent as OpenMetrics on request, otherwise as text', async () => {
    const before = await scrape();
    const reply = await fetch(listener.url, { headers: { accept: OPEN_METRICS } });
    expect(reply.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const text = await reply.text();
    expect(text).toMatch(/\n# EOF\n$/);
    expect(text).not.toContain('\n\n');
    expect(text).toMatch(
      /# TYPE forecasting_runs_finished counter\nforecasting_runs_finished_total\{outcome="completed"\} \d+\n/,
    );
    const after = await fetch(listener.url);
    expect(after.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const names = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('# TYPE'));
    expect(names(await after.text())).toEqual(names(before.text));
  });

  it('are read with GET at one path, in a supported format', async () => {
    const status = async (path: string, init: RequestInit = {}): Promise<number> =>
      (await fetch(new URL(path, listener.url), init)).status;
    expect(await status('/')).toBe(404);
    expect(await status('/metrics/x')).toBe(404);
    expect(await status('/metrics', { method: 'POST' })).toBe(405);
    expect(await status('/metrics', { method: 'HEAD' })).toBe(200);
    expect(await status('/metrics', { headers: { accept: 'image/png' } })).toBe(406);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  it('omit what is locked and report the rest', async () => {
    const scraped = await service.database.transaction(async (tx) => {
      await tx.execute('LOCK TABLE runs IN ACCESS EXCLUSIVE MODE');
      return eventually('one reading has failed and another has not', async () => {
        const found = await scrape();
        const hasFailed = isCounted(found.value('forecasting_scrape_errors_total', { source: 'runs' }));
        return hasFailed && found.value('forecasting_backlog_items', { backlog: 'imports' }) === 0 ? found : undefined;
      });
    });
    expect(scraped.value('forecasting_backlog_items', { backlog: 'runs' })).toBeUndefined();
    await settled('forecasting_backlog_items', { backlog: 'runs' }, 0);
  });
});

describe('metrics of a process that has disconnected from its database', () => {
  it('report no backlog and no error', async () => {
    const service = await startTestService({ role: 'api', environment: { LOG_LEVEL: 'silent' } });
    const listener = await listen(service);
    await service.close();
    const scraped = await Scrape.of(listener.url);
    await listener.close();
    expect(scraped.value('forecasting_backlog_items')).toBeUndefined();
    expect(scraped.value('forecasting_scrape_errors_total')).toBe(0);
  });
});

describe('metrics while the database is down', () => {
  let listener: MetricsListener;
  let process: CuttableService;
  beforeAll(async () => {
    process = await startCuttableService();
    listener = await listen(process.service);
  });
  afterAll(async () => {
    await listener.close();
    await process.close();
  });

  it('report what the process knows, and the rest as unavailable', async () => {
    expect((await Scrape.of(listener.url)).value('forecasting_backlog_items')).toBe(0);
    await process.cut();
    const away = await eventually('a reading has failed', async () => {
      const scraped = await Scrape.of(listener.url);
      return isCounted(scraped.value('forecasting_scrape_errors_total', { source: 'database' })) ? scraped : undefined;
    });
    expect(away.value('forecasting_backlog_items')).toBeUndefined();
    expect(away.value('forecasting_database_connections_max')).toBe(16);
    await process.mend();
    await eventually('the database is read again', async () =>
      (await Scrape.of(listener.url)).value('forecasting_backlog_items') === 0 ? true : undefined,
    );
  });
});
