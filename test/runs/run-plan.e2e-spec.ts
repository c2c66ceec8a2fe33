import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asTenant } from '../../src/platform/database/scope.js';
import { ChunkFitter } from '../../src/runs/work/chunk-fitter.js';
import { leaseNextChunk, leaseNextRun } from '../../src/runs/work/leases.queries.js';
import { RunPlanner } from '../../src/runs/work/run-planner.js';
import { PieceRunner } from '../../src/runs/work/piece-runner.js';
import { dailyCsv } from '../support/api.js';
import { holdRows } from '../support/held-rows.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

const YEAR = Array.from({ length: 12 }, (_, month) => `A,2023-${String(month + 1).padStart(2, '0')},${10 + month}`);

describe('the plan of a run', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    await service.app.get(PieceRunner).beforeApplicationShutdown(); // the test does the work, step by step
  });
  afterAll(() => service.close());

  const plan = async () => {
    const run = await leaseNextRun(service.database, randomUUID(), 60_000);
    await asTenant(run!, () => service.app.get(RunPlanner).plan(run!));
  };
  const fitChunk = async () => {
    const chunk = await leaseNextChunk(service.database, randomUUID(), 60_000);
    await asTenant(chunk!, () => service.app.get(ChunkFitter).fit(chunk!, () => false));
  };

  it('applies to all chunks, although a later month is uploaded meanwhile', async () => {
    const { tenant, api } = await tenantWithDemand(service, `unique_id,ds,y\n${YEAR.join('\n')}\n`);
    const { body: started } = await api.post<{ id: string }>('/runs', { config_overrides: { horizon: 1 } });

    await plan();
    await api.upload(tenant.workspaceId, 'unique_id,ds,y\nA,2024-01,30\n');
    await fitChunk();

    const { body: rows } = await api.get<{ ds: string }[]>(`/runs/${started.id}/forecasts`);
    expect(rows.map(({ ds }) => ds)).toEqual(['2024-01-01']);
  });

  it('from an earlier release without a last month uses an incomplete month as it is', async () => {
    const { api } = await tenantWithDemand(service, dailyCsv('2023-01-01', '2023-12-09'));
    const { body: started } = await api.post<{ id: string }>('/runs', { config_overrides: { horizon: 1 } });
    await plan();
    await service.database.execute('UPDATE runs SET last_month = NULL, incomplete_month = NULL WHERE id = $1', [
      started.id,
    ]);
    await fitChunk();

    const { body: run } = await api.get(`/runs/${started.id}`);
    expect(run).toMatchObject({ metrics: { newest_month: '2023-12-01', incomplete_month: null } });
  });

  it('determines which of the named series are unknown, whatever is uploaded before the run ends', async () => {
    const { tenant, api } = await tenantWithDemand(service, `unique_id,ds,y\n${YEAR.join('\n')}\n`);
    const series = { unique_ids: ['never', 'before the plan', 'A', 'after the plan'] };
    const { body: started } = await api.post<{ id: string }>('/runs', { config_overrides: { horizon: 1, series } });

    await api.upload(tenant.workspaceId, 'unique_id,ds,y\nbefore the plan,2023-12,30\n');
    await plan();
    await api.upload(tenant.workspaceId, 'unique_id,ds,y\nafter the plan,2023-12,30\n');
    await fitChunk();

    const { body: run } = await api.get(`/runs/${started.id}`);
    expect(run).toMatchObject({
      status: 'completed',
      metrics: { series_forecast: 2, skipped: { total: 2, by_reason: { unknown_series: 2 } } },
    });
    const { first } = (run as { metrics: { skipped: { first: { unique_id: string }[] } } }).metrics.skipped;
    expect(first.map(({ unique_id: uniqueId }) => uniqueId)).toEqual(['never', 'after the plan']);
  });

  it('is completed for the other series when one is deleted meanwhile', async () => {
    const other = YEAR.map((row) => row.replace('A', 'B'));
    const { tenant, api } = await tenantWithDemand(service, `unique_id,ds,y\n${[...YEAR, ...other].join('\n')}\n`);
    const { body: started } = await api.post<{ id: string }>('/runs', { config_overrides: { horizon: 1 } });
    await plan();
    // as a deletion does: first the workspace, then the series
    const workspace = [tenant.workspaceId];
    await using deletion = await holdRows(
      service.database,
      'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
      workspace,
    );
    const fitted = fitChunk();
    await deletion.untilAwaitedBy(1);
    await deletion.release((tx) =>
      tx.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id = 'A'`, workspace),
    );
    await fitted;

    const { body: rows } = await api.get<{ unique_id: string }[]>(`/runs/${started.id}/forecasts`);
    expect(rows.map(({ unique_id: uniqueId }) => uniqueId)).toEqual(['B']);
  });
});
