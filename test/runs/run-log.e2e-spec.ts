import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/platform/ids.js';
import { Api, demandCsv } from '../support/api.js';
import { type RealService, startRealService } from '../support/processes/real-service.js';
import { eventually } from '../support/eventually.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';

type Line = Record<string, unknown> & { msg: string };

describe('the service log', () => {
  let service: RealService;
  let api: Api;
  let tenant: Tenant;
  const secrets = { apiKeyPepper: 'p'.repeat(64), encryptionKey: Buffer.alloc(32), databasePassword: '' };

  beforeAll(async () => {
    service = await startRealService({
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: '127.0.0.1',
      API_KEY_PEPPER: secrets.apiKeyPepper,
    });
    const { url, database } = service;
    ({ tenant, api } = await tenantWithDemand({ url, database, secrets }, demandCsv(3, 30)));
  });
  afterAll(() => service.close());

  const lines = (): Line[] =>
    service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const logged = (runId: string, msg: string): Promise<Line> =>
    eventually(`"${msg}" of ${runId}`, () =>
      Promise.resolve(lines().find((line) => line.msg === msg && line['run_id'] === runId)),
    );
  const run = () => ({
    organization_id: tenant.organizationId,
    workspace_id: tenant.workspaceId,
    trigger: 'api',
    duration_ms: expect.any(Number),
  });

  it('records when a run starts and completes, its duration and number of series', async () => {
    const { id } = await api.run({});
    const { duration_ms: _, ...started } = run();
    expect(await logged(id, 'run started')).toMatchObject(started);
    expect(await logged(id, 'run completed')).toMatchObject({
      ...run(),
      series_total: 3,
      series_done: 3,
      series_forecast: 3,
      series_skipped: 0,
    });
  });

  it('records a run that was taken over, failed, or was canceled', async () => {
    const { body } = await api.post<{ id: string }>('/runs', {});
    await api.ended(body.id);
    /** A run that waits for its second attempt. */
    const copy = async (change: string): Promise<string> => {
      const id = newId();
      await service.database.execute(
        `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, lease_epoch, wake_at)
         SELECT $1, organization_id, workspace_id, 'queued', trigger, (config::jsonb || $3)::json, billed, created_at, 1, now() + interval '10 minutes'
           FROM runs WHERE id = $2`,
        [id, body.id, change],
      );
      return id;
    };
    const wake = (id: string): Promise<number> =>
      service.database.execute(`UPDATE runs SET wake_at = now(), lease_expires_at = now() WHERE id = $1`, [id]);

    const canceled = await copy('{}');
    const setBack = `UPDATE runs SET started_at = now() + interval '1 hour' WHERE id = $1`; // the clock, meanwhile
    await service.database.execute(setBack, [canceled]);
    expect((await api.post(`/runs/${canceled}/cancel`, {})).status).toBe(200);
    expect(await logged(canceled, 'run canceled')).toMatchObject({ trigger: 'api', series_done: 0, duration_ms: 0 });

    const abandoned = await copy('{}');
    await service.database.execute(
      `UPDATE runs SET status = 'running', lease_owner = gen_random_uuid() WHERE id = $1`,
      [abandoned],
    );
    await wake(abandoned);
    expect(await logged(abandoned, 'run taken over')).toMatchObject({ epoch: 2, chunk: null });
    await logged(abandoned, 'run completed');

    const failing = await copy('{"models": []}');
    await wake(failing);
    expect(await logged(failing, 'run failed')).toMatchObject({ ...run(), error: 'computation_failed' });

    const endless = await copy('{}');
    await service.database.execute('UPDATE runs SET lease_epoch = 50 WHERE id = $1', [endless]);
    await wake(endless);
    expect(await logged(endless, 'run failed')).toMatchObject({ ...run(), error: 'computation_failed' });
    const takenOver = lines().filter(({ msg, run_id: runId }) => msg === 'run taken over' && runId === endless);
    expect(takenOver.map(({ epoch }) => epoch)).toEqual([51]); // without further attempts
  });

  it('names the organization and key of a request, never the key itself', async () => {
    await api.get('/runs?limit=1');
    const line = await eventually('the request', () =>
      Promise.resolve(lines().find(({ msg, route }) => msg === 'request' && route === '/api/v1/runs')),
    );
    expect(line).toMatchObject({
      organization_id: tenant.organizationId,
      api_key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(service.output()).not.toContain(tenant.workspaceKey.slice(3, 43));
  });

  it('records the client address of a request behind trusted proxies', async () => {
    const headers = { 'x-api-key': tenant.workspaceKey, 'x-forwarded-for': '203.0.113.7' };
    expect((await fetch(`${service.url}/api/v1/usage`, { headers })).status).toBe(200);
    const line = await eventually('the request', () =>
      Promise.resolve(lines().find(({ route }) => route === '/api/v1/usage')),
    );
    expect(line['ip']).toBe('203.0.113.7');
  });
});
