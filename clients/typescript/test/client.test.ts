import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiProblem, ForecastingClient } from '../src/index.ts';

const url = new URL(process.env['BASE'] ?? '').origin;
const client = new ForecastingClient({ url, apiKey: process.env['KEY'] ?? '' });

test('starts, polls and reads a run, fully typed', async () => {
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

test('iterates over all pages of a list', async () => {
  const seen: string[] = [];
  for await (const series of client.list('/api/v1/series', { query: { limit: 1 } })) {
    if ('unique_id' in series) seen.push(series.unique_id);
  }
  const own = seen.filter((id) => id.startsWith('SKU-')); // the tests of other apps upload series to the same workspace
  assert.deepEqual(own.toSorted(), ['SKU-1', 'SKU-2', 'SKU-3']);
});

test('calls a service under a base path, on every page', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, reply) => {
    if (asked.push(request.url) === 1) reply.setHeader('link', '</planning/api/v1/series?cursor=x>; rel="next"');
    reply.setHeader('content-type', 'application/json').end('[{}]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/planning/`;
  let items = 0;
  for await (const _ of new ForecastingClient({ url: address, apiKey: 'fk_x' }).list('/api/v1/series')) items += 1;
  server.close();
  assert.equal(items, 2);
  assert.deepEqual(asked, ['/planning/api/v1/series', '/planning/api/v1/series?cursor=x']);
});

test('ids are encoded in the path, and a query has what was given alone', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, reply) => {
    asked.push(request.url);
    reply.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const there = new ForecastingClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'fk_x' });
  const { optional }: { optional?: string } = {};
  const query = { from: '2026-01', ...({ to: optional } as object) };
  await there.get('/api/v1/series/{series_id}/actuals', { path: { series_id: 'A/1 ü?' }, query });
  server.close();
  assert.deepEqual(asked, ['/api/v1/series/A%2F1%20%C3%BC%3F/actuals?from=2026-01']);
});

test('the URL may be that of the API, as the other clients take it', async () => {
  for (const address of [`${url}/api/v1`, `${url}/api/v1/`]) {
    const usage = await new ForecastingClient({ url: address, apiKey: process.env['KEY'] ?? '' }).get('/api/v1/usage');
    assert.ok(usage.quota > 0);
  }
});

test('an error has the code and names the parameter', async () => {
  await assert.rejects(client.get('/api/v1/runs', { query: { limit: 0 } }), (problem: unknown) => {
    assert.ok(problem instanceof ApiProblem);
    assert.equal(problem.code, 'invalid_request');
    assert.equal(problem.errors[0]?.param, 'limit');
    return true;
  });
});

test('the error of a rejected upload has its report', async () => {
  const rows = [{ unique_id: 'A', ds: 'soon', y: 1 }];
  await assert.rejects(client.post('/api/v1/actuals', { body: { workspace_id: process.env['WORKSPACE'] ?? '', rows } }), (problem: unknown) => {
    assert.ok(problem instanceof ApiProblem);
    assert.equal(problem.body.report?.rejected_count, 1);
    return true;
  });
});

test('an error has the retry delay in seconds, or none when a proxy sends a date', async () => {
  const waits = ['5', 'Fri, 20 Nov 2026 06:00:00 GMT'];
  const server = createServer((_request, reply) => {
    reply.writeHead(503, { 'retry-after': waits.shift(), 'content-type': 'application/problem+json' }).end('{"code":"not_ready"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const away = new ForecastingClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'fk_x' });
  for (const retryAfter of [5, undefined]) {
    const problem: unknown = await away.get('/api/v1/usage').catch((refused: unknown) => refused);
    assert.ok(problem instanceof ApiProblem);
    assert.deepEqual([problem.status, problem.code, problem.retryAfter], [503, 'not_ready', retryAfter]);
  }
  server.close();
});
