import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiKeyGate } from '../../src/access/guard/api-key-gate.js';
import type { ApiCaller } from '../../src/access/guard/caller.js';
import { RunInstruments } from '../../src/runs/monitoring/run-instruments.js';
import { putSchedule, takeFiring } from '../../src/runs/schedule/schedule.queries.js';
import { type SeriesAdvice, storeSafetyStocks } from '../../src/runs/stock/safety-stocks.queries.js';
import { PieceRunner } from '../../src/runs/work/piece-runner.js';
import { RunPlanner } from '../../src/runs/work/run-planner.js';
import { lockWorkspace } from '../../src/series/workspace-locks.queries.js';
import { Api, demandCsv } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createApiKey, createMember, createTenant, createWorkspace } from '../support/builders.js';
import { holdRows, untilLockAwaited } from '../support/held-rows.js';
import { createPastRun } from '../support/history.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('deleting a workspace with work in progress', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let owner: AppClient;
  let api: Api;

  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
  });
  beforeEach(async () => {
    await service.database.execute('DELETE FROM organizations'); // tests look at all rows of a table
    tenant = await createTenant(service);
    owner = new AppClient(service.url, (await createMember(service.database, tenant.organizationId, 'owner')).token);
    api = new Api(service.url, tenant.organizationKey);
    expect((await api.upload(tenant.workspaceId, demandCsv(3, 30))).status).toBe(200);
  });
  afterAll(() => service.close());

  const holdWorkspace = (strength: string) =>
    holdRows(service.database, `SELECT FROM workspaces WHERE id = $1 ${strength}`, [tenant.workspaceId]);
  const path = () => `/orgs/${tenant.organizationId}/workspaces/${tenant.workspaceId}`;

  it('waits for an override being stored', async () => {
    const override = { series_id: 'P0000', month: '2026-12', kind: 'absolute', value: 1, reason: 'Promotion' };
    const put = () => owner.put(`/workspaces/${tenant.workspaceId}/overrides`, override);
    expect((await put()).status).toBe(200);
    await using rows = await holdRows(service.database, 'SELECT FROM overrides FOR UPDATE');
    const replaced = put();
    await rows.untilAwaitedBy(1);
    const deleted = owner.delete(path());
    await rows.untilAwaitedBy(2);
    await rows.release();
    expect([(await replaced).status, (await deleted).status]).toEqual([200, 204]);
  });

  it('waits for safety stock being stored', async () => {
    const { organizationId, workspaceId } = tenant;
    const runId = await createPastRun(service.database, tenant, { finishedAt: new Date() });
    const advice = { safety_stock: 1, reorder_point: 2, lead_time_demand: 1, lead_time_demand_sigma: 1 };
    const series = await service.database.query<{ id: string }>('SELECT id FROM series ORDER BY id');
    const rows = series.map(({ id }) => ({
      seriesId: id,
      advice: {
        ...advice,
        lead_time: 1,
        lead_time_sd: 0,
        service_level: 0.95,
        method: 'gamma',
        demand_pattern: 'smooth',
        warnings: [],
      } as unknown as SeriesAdvice['advice'],
    }));
    // in whichever order its series are stored, it holds one when it comes upon the one in the middle
    await using middle = await holdRows(service.database, 'SELECT FROM series WHERE id = $1 FOR UPDATE', [
      rows[1]!.seriesId,
    ]);
    const stored = service.database.transaction((tx) =>
      storeSafetyStocks(tx, { organizationId, workspaceId, runId }, rows, 0),
    );
    await middle.untilAwaitedBy(1);
    const deleted = owner.delete(path());
    await middle.untilAwaitedBy(2);
    await middle.release();
    await stored;
    expect((await deleted).status).toBe(204);
  });

  it('waits for a run being canceled, including what was computed', async () => {
    const { body: run } = await api.post<{ id: string }>('/runs', { workspace_id: tenant.workspaceId });
    await service.database.execute(`UPDATE runs SET status = 'running', started_at = now()`);
    const series = await service.database.query<{ id: string }>('SELECT id FROM series');
    // what chunks of the run have stored
    const other = { finishedAt: new Date(), seriesIds: series.map(({ id }) => id) };
    await createPastRun(service.database, tenant, other);
    for (const table of ['run_chunks', 'forecasts'])
      await service.database.execute(`UPDATE ${table} SET run_id = $1`, [run.id]);
    await using chunks = await holdRows(service.database, 'SELECT FROM run_chunks FOR UPDATE');
    const canceled = api.post(`/runs/${run.id}/cancel`, {});
    await chunks.untilAwaitedBy(1);
    const deleted = owner.delete(path());
    await chunks.untilAwaitedBy(2);
    await chunks.release();
    expect([(await canceled).status, (await deleted).status]).toEqual([200, 204]);
  });

  it('waits for a run being started by schedule', async () => {
    const schedule = { day: 15, hour: 4, timeZone: 'UTC', configOverrides: {}, updatedBy: 'x' };
    await putSchedule(service.database, tenant, schedule);
    await service.database.execute('UPDATE run_schedules SET next_run_at = now()');
    const { deleted } = await service.database.transaction(async (tx) => {
      expect(await takeFiring(tx)).toMatchObject({ workspaceId: tenant.workspaceId });
      const began = owner.delete(path());
      await untilLockAwaited(service.database, 1);
      await createPastRun(tx, tenant, { status: 'queued', finishedAt: null });
      return { deleted: began };
    });
    expect((await deleted).status).toBe(204);
  });

  it('waits for an upload with an Idempotency-Key of a key of the workspace', async () => {
    const workspaceApi = new Api(service.url, tenant.workspaceKey);
    const rows = [{ unique_id: 'P0000', ds: '2020-01', y: 7 }];
    await using demand = await holdRows(service.database, 'SELECT FROM demand FOR UPDATE');
    const uploaded = workspaceApi.post('/actuals', { rows }, { 'idempotency-key': 'nightly' });
    await demand.untilAwaitedBy(1);
    const deleted = owner.delete(path());
    await demand.untilAwaitedBy(2);
    await demand.release();
    expect([(await uploaded).status, (await deleted).status]).toEqual([200, 204]);
  });

  it('waits for an upload whose key was created while the deletion waited for the workspace', async () => {
    await using run = await holdWorkspace('FOR KEY SHARE'); // as one that is being started
    const deleted = owner.delete(path());
    await run.untilAwaitedBy(1);
    const key = await owner.post<{ id: string }>(`/orgs/${tenant.organizationId}/api-keys`, {
      name: 'late',
      workspace_id: tenant.workspaceId,
    });
    expect(key.status).toBe(201);
    // an upload with an Idempotency-Key: it locks its API key, then the workspace
    await using upload = await holdRows(service.database, 'SELECT FROM api_keys WHERE id = $1 FOR KEY SHARE', [
      key.body.id,
    ]);
    await run.release();
    await upload.untilAwaitedBy(1);
    await upload.release((tx) => lockWorkspace(tx, tenant));
    expect((await deleted).status).toBe(204);
  });

  it('precedes an import that was waiting for the workspace', async () => {
    await using rows = await holdWorkspace('FOR NO KEY UPDATE');
    const deleted = owner.delete(path());
    await rows.untilAwaitedBy(1);
    const imported = await api.send('POST', `/actuals?workspace_id=${tenant.workspaceId}`, demandCsv(3, 30), {
      'content-type': 'text/csv',
      prefer: 'respond-async',
    });
    expect(imported.status).toBe(202);
    await rows.untilAwaitedBy(2);
    await rows.release();
    expect((await deleted).status).toBe(204);
    expect(await service.database.query('SELECT FROM imports')).toEqual([]);
  });

  it('precedes a run that a worker has claimed, and leaves nothing of it', async () => {
    expect((await api.post('/runs', { workspace_id: tenant.workspaceId })).status).toBe(202);
    await using rows = await holdWorkspace('FOR UPDATE');
    const deleted = owner.delete(path());
    await rows.untilAwaitedBy(1);
    const database = { url: service.databaseUrl, drop: () => Promise.resolve() };
    const worker = await startTestService({ role: 'worker', database });
    try {
      const taken = 'SELECT FROM runs WHERE lease_epoch > 0';
      await eventually('the run is claimed', async () => (await service.database.query(taken))[0]);
      await rows.release();
      expect((await deleted).status).toBe(204);
      expect(await service.database.query('SELECT FROM runs')).toEqual([]);
    } finally {
      await rows.release();
      await worker.close();
    }
  });

  it('causes no error in a worker that is planning a run', async () => {
    const database = { url: service.databaseUrl, drop: () => Promise.resolve() };
    const worker = await startTestService({ role: 'worker', database });
    try {
      const planner = worker.app.get(RunPlanner);
      const plan = planner.plan.bind(planner);
      const planned = new Promise<unknown>((resolve) => {
        planner.plan = async (run) => {
          await owner.delete(path());
          return plan(run).catch((fault: unknown) => {
            resolve(fault);
            throw fault;
          });
        };
      });
      const failed = jest.spyOn(worker.app.get(RunInstruments).errors, 'inc');
      await start();
      expect(await planned).toMatchObject({ code: 'not_found' });
      await worker.app.get(PieceRunner).stop(10_000);
      expect(failed).not.toHaveBeenCalled();
    } finally {
      await worker.close();
    }
  });

  const start = () => api.post<{ id: string }>('/runs', { workspace_id: tenant.workspaceId });
  const used = async () => (await owner.get<{ used: number }>(`/orgs/${tenant.organizationId}/usage`)).body.used;

  it('refunds only the runs that no worker has claimed', async () => {
    const [running, completed] = [(await start()).body.id, (await start()).body.id];
    const began = `UPDATE runs SET status = $2, started_at = now() WHERE id = $1`;
    await service.database.execute(began, [running, 'running']);
    await service.database.execute(began, [completed, 'completed']);
    expect((await api.post(`/runs/${(await start()).body.id}/cancel`, {})).status).toBe(200);
    await start();
    await start();
    expect(await used()).toBe(4);
    expect((await owner.delete(path())).status).toBe(204);
    expect(await used()).toBe(2);
  });

  it('refunds runs of two months while another is started', async () => {
    const { id: otherId } = await createWorkspace(service.database, tenant.organizationId);
    expect((await api.upload(otherId, demandCsv(1, 30))).status).toBe(200);
    const [early] = [(await start()).body.id, (await start()).body.id];
    await service.database.execute(`UPDATE runs SET created_at = created_at - interval '1 month' WHERE id = $1`, [
      early,
    ]);
    await service.database.execute(
      `INSERT INTO usage_counters (organization_id, month, used)
       SELECT organization_id, month - interval '1 month', 1 FROM usage_counters`,
    );
    await using counter = await holdRows(
      service.database,
      'SELECT FROM usage_counters ORDER BY month DESC LIMIT 1 FOR UPDATE',
    );
    const started = api.post('/runs', { workspace_id: otherId });
    await counter.untilAwaitedBy(1);
    const deleted = owner.delete(path());
    await counter.untilAwaitedBy(2);
    await counter.release();
    expect([(await started).status, (await deleted).status]).toEqual([202, 204]);
    expect(await service.database.query('SELECT used FROM usage_counters ORDER BY month')).toEqual([
      { used: 0 },
      { used: 2 },
    ]);
  });

  it('makes a start wait before it has charged anything', async () => {
    await start();
    await using series = await holdRows(service.database, 'SELECT FROM series FOR UPDATE');
    const deleted = owner.delete(path());
    await series.untilAwaitedBy(1);
    const started = start();
    await series.untilAwaitedBy(2);
    await series.release();
    expect([(await deleted).status, (await started).status]).toEqual([204, 404]);
    expect(await used()).toBe(0);
  });

  it('keeps the usage count right despite concurrent starts and cancellations', async () => {
    const { id: otherId } = await createWorkspace(service.database, tenant.organizationId);
    expect((await api.upload(otherId, demandCsv(1, 30))).status).toBe(200);
    const startIn = (workspaceId: string, headers: Record<string, string> = {}) =>
      api.post<{ id: string }>('/runs', { workspace_id: workspaceId }, headers);
    const early = await Promise.all(Array.from({ length: 8 }, () => startIn(tenant.workspaceId)));
    const calls = [
      ...early.slice(0, 4).map(({ body }) => api.post(`/runs/${body.id}/cancel`, {})),
      ...Array.from({ length: 8 }, (_, at) => startIn(tenant.workspaceId, { 'idempotency-key': `start ${at}` })),
      ...Array.from({ length: 4 }, () => startIn(otherId)),
    ];
    const deleted = owner.delete(path());
    calls.push(...Array.from({ length: 8 }, () => startIn(tenant.workspaceId)), startIn(otherId));
    const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
    expect((await deleted).status).toBe(204);
    expect([...statuses].filter((status) => ![200, 202, 404].includes(status))).toEqual([]);
    expect(await used()).toBe(5);
    expect(await service.database.query('SELECT DISTINCT workspace_id FROM runs')).toEqual([{ workspace_id: otherId }]);
  });

  it('logs which keys were removed with the workspace', async () => {
    const [key] = await service.database.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE workspace_id IS NOT NULL',
    );
    expect((await owner.delete(path())).status).toBe(204);
    const log = `/orgs/${tenant.organizationId}/audit-log?action=workspace.deleted`;
    expect((await owner.get(log)).body).toMatchObject([{ details: { deleted_key_ids: [key!.id] } }]);
  });

  it('invalidates the keys of the workspace at once', async () => {
    const workspaceApi = new Api(service.url, tenant.workspaceKey);
    expect((await workspaceApi.get('/series')).status).toBe(200);
    expect((await owner.delete(path())).status).toBe(204);
    expect((await workspaceApi.get('/series')).status).toBe(401);
  });

  it('takes no connection from others when keys of the workspace are used meanwhile', async () => {
    const bound = { workspaceId: tenant.workspaceId };
    const keys: string[] = [];
    for (let count = 0; count <= service.settings.DATABASE_POOL; count += 1)
      keys.push(await createApiKey(service, tenant.organizationId, bound));
    // what the removal of the workspace holds to its end
    await using removal = await holdRows(service.database, 'SELECT FROM api_keys WHERE workspace_id = $1 FOR UPDATE', [
      tenant.workspaceId,
    ]);
    for (const key of keys) expect((await new Api(service.url, key).get('/usage')).status).toBe(200);
    expect((await api.get('/usage')).status).toBe(200);
    await removal.release();
  });

  it('can fall between a run’s start and its Idempotency-Key, and the start is answered', async () => {
    await using rows = await holdWorkspace('FOR UPDATE');
    const workspaceApi = new Api(service.url, tenant.workspaceKey);
    const deleted = owner.delete(path());
    await rows.untilAwaitedBy(1);
    const started = workspaceApi.post('/runs', {}, { 'idempotency-key': 'nightly' });
    await rows.untilAwaitedBy(2);
    await rows.release();
    expect((await deleted).status).toBe(204);
    expect([404, 409]).toContain((await started).status); // 409 where it has waited for its key longer than two seconds
  });

  it('causes no error in a process that has cached the keys of the workspace', async () => {
    const database = { url: service.databaseUrl, drop: () => Promise.resolve() };
    const second = await startTestService({ role: 'api', database });
    try {
      const there = new Api(second.url, tenant.workspaceKey);
      const admitted = jest.spyOn(second.app.get(ApiKeyGate), 'admit');
      expect((await there.get('/series')).status).toBe(200);
      admitted.mockResolvedValue((await admitted.mock.results[0]!.value) as ApiCaller); // it knows them for half a second only
      await service.database.execute('DELETE FROM workspaces WHERE id = $1', [tenant.workspaceId]);
      const csv = { 'content-type': 'text/csv' };
      const upload = (of: Api, headers: Record<string, string>) =>
        of.send('POST', `/actuals?workspace_id=${tenant.workspaceId}`, demandCsv(1, 3), { ...csv, ...headers });
      const replies = await Promise.all([
        there.post('/runs', {}, { 'idempotency-key': 'nightly' }),
        upload(there, { 'idempotency-key': 'nightly' }),
        upload(there, { prefer: 'respond-async' }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    } finally {
      await second.close();
    }
  });

  it('ends an upload that is still arriving', async () => {
    const url = `${service.url}/api/v1/actuals?workspace_id=${tenant.workspaceId}`;
    const headers = { 'x-api-key': tenant.organizationKey, 'content-type': 'text/csv', prefer: 'respond-async' };
    const status = new Promise<number | undefined>((resolve, reject) => {
      const sending = request(url, { method: 'POST', headers, agent: false }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      });
      sending.once('error', reject);
      sending.write(demandCsv(300, 40));
      const go = async (): Promise<void> => {
        const isReceived = `SELECT FROM imports WHERE state = 'receiving'`;
        await eventually('the upload has begun', async () => (await service.database.query(isReceived))[0] && true);
        expect((await owner.delete(path())).status).toBe(204);
        sending.end(demandCsv(300, 40));
      };
      go().catch(reject);
    });
    expect(await status).toBe(404);
  });
});
