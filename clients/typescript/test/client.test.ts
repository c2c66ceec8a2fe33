import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiProblem, ForecastingClient } from '../src/index.ts';

const url = new URL(process.env['BASE'] ?? '').origin;
const client = new ForecastingClient({ url, apiKey: process.env['KEY'] ?? '' });

test('a run is started, polled and read, all of it typed', async () => {
  const body = { workspace_id: process.env['WORKSPACE'] ?? '', config_overrides: { horizon: 2 } };
  let run = await client.post('/api/v1/runs', { body });
  for (let n = 0; n < 120 && run.status !== 'completed'; n += 1) {
    await sleep(250);
    run = await client.get('/api/v1/runs/{run_id}', { path: { run_id: run.id } });
  }
  assert.equal(run.status, 'completed');
  const rows = await client.get('/api/v1/runs/{run_id}/forecasts', { path: { run_id: run.id }, query: { limit: 4 } });
  assert.equal(rows.length, 4);
  assert.ok(rows.every((row) => row.q10 <= row.q50 && row.q50 <= row.q90));
});

test('a list is read over its pages', async () => {
  const seen: string[] = [];
  for await (const series of client.list('/api/v1/series', { query: { limit: 1 } })) {
    if ('unique_id' in series) seen.push(series.unique_id);
  }
  assert.deepEqual(seen.toSorted(), ['SKU-1', 'SKU-2', 'SKU-3']);
});

test('a refusal has its code and names the parameter', async () => {
  await assert.rejects(client.get('/api/v1/runs', { query: { limit: 0 } }), (problem: unknown) => {
    assert.ok(problem instanceof ApiProblem);
    assert.equal(problem.code, 'invalid_request');
    assert.equal(problem.errors[0]?.param, 'limit');
    return true;
  });
});
