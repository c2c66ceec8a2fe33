import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, demandCsv } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import type { ServiceProcess } from '../support/processes/service-process.js';
import { Cluster } from './cluster.js';

const SERIES = 1_500;
const HORIZON = 12;
const KILLS = 10;

/** Ports below those that the system gives to outgoing connections: one of those may be any of them. */
const API_PORT = 21_001;

/** Faults at random moments. The seed of a failing order is not kept: what is asserted must hold for every order. */
describe('a run survives', () => {
  let cluster: Cluster;
  let api: Api;
  let workers: ServiceProcess[];

  beforeAll(async () => {
    cluster = await Cluster.start();
    await cluster.spawn('api', API_PORT);
    workers = [await cluster.spawn('worker', API_PORT + 1), await cluster.spawn('worker', API_PORT + 2)];
    const tenant = await createTenant(cluster);
    api = new Api(`http://127.0.0.1:${API_PORT}`, tenant.workspaceKey);
    expect((await api.upload(tenant.workspaceId, demandCsv(SERIES, 48))).status).toBe(200);
  }, 120_000);
  afterAll(() => cluster.stop(), 60_000);

  async function expectWhole(runId: string): Promise<void> {
    const run = await api.ended(runId);
    expect(run).toMatchObject({
      status: 'completed',
      progress: { series_total: SERIES, series_done: SERIES },
      metrics: { series_forecast: SERIES },
    });
    const csv = await api.get<string>(`/runs/${runId}/forecasts?limit=10000`, { accept: 'text/csv' });
    expect(csv.status).toBe(200);
    const [counts] = await cluster.database.query<{ rows: number; series: number }>(
      'SELECT count(*)::int AS rows, count(DISTINCT series_id)::int AS series FROM forecasts WHERE run_id = $1 AND horizon = $2',
      [runId, HORIZON],
    );
    expect(counts).toEqual({ rows: SERIES, series: SERIES });
    const [left] = await cluster.database.query('SELECT 1 FROM run_chunks WHERE run_id = $1', [runId]);
    expect(left).toBeUndefined();
  }

  it(`${KILLS} SIGKILLs of a worker midway`, async () => {
    const { body } = await api.post<{ id: string }>('/runs', {
      config_overrides: { horizon: HORIZON, backtest_windows: 3 },
    });
    let port = API_PORT + 10;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(150 + Math.random() * 1_200);
      await cluster.kill(workers[kill % workers.length]!);
      workers[kill % workers.length] = await cluster.spawn('worker', (port += 1));
    }
    await expectWhole(body.id);
  }, 300_000);

  it('a database killed and restarted', async () => {
    const { body } = await api.post<{ id: string }>('/runs', {
      config_overrides: { horizon: HORIZON, backtest_windows: 3 },
    });
    for (let crash = 0; crash < 2; crash += 1) {
      await sleep(500 + Math.random() * 1_000);
      await cluster.crashDatabase();
    }
    await expectWhole(body.id);
  }, 300_000);
});
