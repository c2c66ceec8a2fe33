import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DemandForecasting } from '../dist/nodes/DemandForecasting/DemandForecasting.node.js';
import { DemandForecastingTrigger } from '../dist/nodes/DemandForecasting/DemandForecastingTrigger.node.js';
import { since, untold } from '../dist/nodes/DemandForecasting/polling.js';

const baseUrl = process.env['BASE'] ?? '';
const root = fileURLToPath(new URL('..', import.meta.url));

interface State {
  readonly mode?: string;
  readonly apiKey?: string;
  /** As it was typed. */
  readonly address?: string;
  readonly execution?: string;
  /** Times that a loop has come to the node before. */
  readonly round?: number;
  readonly items?: number;
  readonly continueOnFail?: boolean;
}

/** What n8n gives to a node, as far as ours use it; requests go to the running service. */
function context(parameters: Record<string, unknown>, state: State = {}): Record<string, unknown> {
  const staticData = {};
  return {
    getNodeParameter: (name: string, item: number) => {
      const value = parameters[name] ?? '';
      return Array.isArray(value) ? value[item] : value; // one for each item
    },
    getCredentials: async () => ({ baseUrl: state.address ?? baseUrl }),
    getMode: () => state.mode ?? 'trigger',
    getNode: () => ({ id: 'node', name: 'Demand Forecasting', type: 'demandForecasting', typeVersion: 1, position: [0, 0], parameters: {} }),
    getExecutionId: () => state.execution ?? crypto.randomUUID(),
    evaluateExpression: () => state.round ?? 0,
    getInputData: () => Array.from({ length: state.items ?? 1 }, () => ({ json: {} })),
    getWorkflowStaticData: () => staticData,
    continueOnFail: () => state.continueOnFail === true,
    helpers: { httpRequestWithAuthentication: requestWith(state.apiKey ?? process.env['KEY'] ?? '') },
  };
}

interface Request {
  readonly url: string;
  readonly method?: string;
  readonly qs?: Record<string, unknown>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** As the helper of n8n answers where it is asked for the full response and to throw at no status. */
function requestWith(apiKey: string): (credential: string, request: Request) => Promise<unknown> {
  return async (_credential, { url, method = 'GET', qs, body, headers }) => {
    const target = new URL(url);
    for (const [name, value] of Object.entries(qs ?? {})) target.searchParams.set(name, String(value));
    const sent = { ...headers, 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) };
    const reply = await fetch(target, { method, headers: sent, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { body: await reply.json(), headers: Object.fromEntries(reply.headers), statusCode: reply.status };
  };
}

const poll = (on: object): Promise<{ json: { id: string } }[][] | null> =>
  new DemandForecastingTrigger().poll.call(on as never) as never;
interface Item {
  readonly json: Record<string, unknown>;
  readonly pairedItem: { readonly item: number } | { readonly item: number }[];
}
const executeAll = async (parameters: Record<string, unknown>, state: State = {}): Promise<Item[]> => {
  const [items] = (await new DemandForecasting().execute.call(context(parameters, state) as never)) as never as [Item[]];
  return items;
};
const execute = async (parameters: Record<string, unknown>, state: State = {}): Promise<Record<string, unknown>> =>
  (await executeAll(parameters, state))[0]?.json ?? {};
const options = async (name: 'getCompletedRuns' | 'getWorkspaces', state: State = {}): Promise<{ name: string; value: string }[]> =>
  (await new DemandForecasting().methods.loadOptions[name].call(context({}, state) as never)) as never;

test('the base URL may have a trailing slash or surrounding whitespace', async () => {
  for (const address of [`${baseUrl}/`, ` ${baseUrl} `, `${baseUrl}/ `]) {
    assert.ok((await options('getWorkspaces', { address })).length > 0, `"${address}"`);
  }
});

test('everything the manifest names is built: n8n reads nodes, icons and codex files from dist', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { n8n, files } = manifest as { n8n: { credentials: string[]; nodes: string[] }; files: string[] };
  assert.deepEqual(files, ['dist']);
  for (const path of [...n8n.credentials, ...n8n.nodes]) {
    const [Class] = Object.values(createRequire(import.meta.url)(join(root, path))) as (new () => Record<string, never>)[];
    assert.ok(Class, path);
    const made = new Class() as { icon?: object; description?: { icon: object; name: string } };
    const icons = Object.values(made.description?.icon ?? made.icon ?? {}) as string[];
    assert.equal(icons.length, 2, path);
    for (const icon of icons) assert.ok(existsSync(join(root, dirname(path), icon.replace('file:', ''))), `${path}: ${icon}`);
    if (made.description === undefined) continue;
    const codex = JSON.parse(readFileSync(join(root, path.replace(/\.js$/, '.json')), 'utf8')) as { node: string; resources?: object };
    assert.equal(codex.node, `${manifest.name}.${made.description.name}`);
    assert.equal(typeof codex.resources, 'object', 'n8n leaves a codex file without resources aside');
  }
});

test('runs that finish during a poll are delivered exactly once', async () => {
  const on = context({ event: 'runCompleted' });
  await poll(on);
  const started: string[] = [];
  const told: string[] = [];
  const own = (): string[] => told.filter((id) => started.includes(id)); // others may still be running
  for (let n = 0; n < 60 && (n < 4 || own().length < started.length); n += 1) {
    if (n < 4) started.push(String((await execute({ operation: 'triggerRun', horizon: 2, workspaceId: process.env['WORKSPACE'] }))['id']));
    told.push(...((await poll(on))?.[0] ?? []).map((item) => item.json.id));
    await sleep(500);
  }
  assert.deepEqual(own().toSorted(), started.toSorted());
  assert.equal(new Set(told).size, told.length);
});

test('every event can be polled, and a manual test returns at most the newest item', async () => {
  for (const event of ['runCompleted', 'runFailed', 'demandAlert', 'trendChanged']) {
    const items = await poll(context({ event }, { mode: 'manual' }));
    assert.ok(items === null || items[0]?.length === 1, event);
  }
});

test('the forecast and the safety stock of a series are read', async () => {
  const [[newest]] = (await poll(context({ event: 'runCompleted' }, { mode: 'manual' }))) as { json: { id: string } }[][] as [[{ json: { id: string } }]];
  const input = { runId: newest.json.id, seriesId: process.env['SERIES'] };
  const forecast = await execute({ operation: 'seriesForecast', ...input });
  assert.equal(typeof forecast['best_estimate'], 'number');
  const months = forecast['months'] as { final?: number }[];
  assert.deepEqual([forecast, ...months].filter(({ final }) => typeof final !== 'number'), [], 'the planners’ overrides');
  const stock = await execute({ operation: 'safetyStock', ...input, leadTime: 1, leadTimeSd: 0.25, serviceLevel: 0.9 });
  assert.equal(typeof stock['reorder_point'], 'number');
  assert.deepEqual([stock['lead_time_sd'], stock['service_level']], [0.25, 0.9]);
  const usual = await execute({ operation: 'safetyStock', ...input });
  assert.deepEqual([usual['lead_time'], usual['lead_time_sd'], usual['service_level']], [1, 0, 0.95]);
});

test('failed runs are delivered once, with the error', async (t) => {
  const failed = { id: 'f', status: 'failed', error: { code: 'computation_failed', message: 'x' }, finished_at: new Date().toISOString() };
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    asked.push(new URL(request.url ?? '', 'http://service').searchParams.get('status') ?? '');
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([failed]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const on = context({ event: 'runFailed' }, { address });
  assert.deepEqual(await poll(on), [[{ json: failed }]]);
  assert.equal(await poll(on), null);
  assert.deepEqual(asked, ['failed', 'failed']);
});

const UPLOAD = { operation: 'uploadDemand', fill: 'none', workspaceId: process.env['WORKSPACE'] };
const actuals = async (series: string): Promise<unknown> =>
  (await fetch(`${baseUrl}/series/${series}/actuals?workspace_id=${process.env['WORKSPACE']}`, { headers: { 'x-api-key': process.env['KEY'] ?? '' } })).json();

test('all input items are uploaded at once as rows, with quantities that are text as numbers', async () => {
  const rows = { uniqueId: [`n8n-${process.pid}-1`, `n8n-${process.pid}-1`, `n8n-${process.pid}-2`], date: ['2026-01', '2026-02', '2026-01'], quantity: ['12.5', 7, '0'] };
  const reports = await executeAll({ ...UPLOAD, ...rows, productName: 'From n8n' }, { items: 3 });
  assert.equal(reports.length, 1);
  assert.deepEqual(reports[0]?.pairedItem, [{ item: 0 }, { item: 1 }, { item: 2 }]);
  assert.deepEqual([reports[0]?.json['rows'], reports[0]?.json['series_created']], [3, 2]);
  assert.match(JSON.stringify(await actuals(`n8n-${process.pid}-1`)), /12\.5.*7/);
});

test('an upload that is retried stores nothing again, and one of other rows replaces them', async () => {
  const rows = { uniqueId: `n8n-${process.pid}-3`, date: '2026-01', quantity: 1 };
  const send = (quantity: number, execution: string): Promise<unknown> =>
    execute({ ...UPLOAD, ...rows, quantity }, { execution }).then((report) => report['import_id']);
  const first = await send(1, 'uploaded');
  await send(2, 'later');
  assert.equal(await send(1, 'uploaded'), first);
  assert.match(JSON.stringify(await actuals(`n8n-${process.pid}-3`)), /"y":2/);
});

test('every wrong row is named with its message, an empty quantity too, and nothing is stored', async () => {
  const rows = { uniqueId: [`n8n-${process.pid}-4`, `n8n-${process.pid}-4`, `n8n-${process.pid}-4`, `n8n-${process.pid}-4`], date: ['2026-01', '2026-13', '2026-02', '2026-03'], quantity: [1, 1, '', 'many'] };
  const wrong = { ...UPLOAD, ...rows };
  const expected = /3 rows were rejected.*ds: row 2: "2026-13" is not a date.*y: row 3: is missing.*y: row 4: must be a number/;
  await assert.rejects(executeAll(wrong, { items: 4 }), expected);
  const [told, ...others] = await executeAll(wrong, { items: 4, continueOnFail: true });
  assert.match(String(told?.json['error']), expected);
  assert.deepEqual(others, []);
  assert.match(JSON.stringify(await actuals(`n8n-${process.pid}-4`)), /not_found/);
});

test('items without demand describe series that have some, with numbers that are text as numbers', async () => {
  const uniqueId = `n8n-${process.pid}-5`;
  await executeAll({ ...UPLOAD, uniqueId, date: '2026-01', quantity: 1, productName: 'Beans' });
  const describe = { operation: 'describeSeries', workspaceId: process.env['WORKSPACE'], uniqueId };
  const [report] = await executeAll({ ...describe, rowLeadTime: '1.5', rowServiceLevel: 0.98 });
  assert.deepEqual([report?.json['series_updated'], report?.json['months']], [1, null]);
  const series = await fetch(`${baseUrl}/series/${uniqueId}?workspace_id=${process.env['WORKSPACE']}`, { headers: { 'x-api-key': process.env['KEY'] ?? '' } });
  const { product_name: name, lead_time_months: leadTime, target_service_level: level } = (await series.json()) as Record<string, unknown>;
  assert.deepEqual([name, leadTime, level], ['Beans', 1.5, 0.98]);
  await assert.rejects(executeAll({ ...describe, uniqueId: `n8n-${process.pid}-6` }), /unique_id: row 1: the workspace has no series/);
  const withoutDemand = { ...UPLOAD, uniqueId, date: '', quantity: '', productName: 'Oats' };
  await assert.rejects(executeAll(withoutDemand), /ds: row 1: is missing/);
});

test('forecast rows are those of the latest run of all series, by series and month, up to the limit', async () => {
  const of = (input: Record<string, unknown>): Promise<Item[]> =>
    executeAll({ operation: 'forecastRows', workspaceId: process.env['WORKSPACE'], limit: 500, returnAll: false, ...input });
  const every = await of({});
  const [first] = every;
  assert.equal(typeof first?.json['final'], 'number', 'the planners’ overrides');
  assert.deepEqual(first?.pairedItem, { item: 0 });
  const runId = first?.json['run_id'];
  const series = await of({ runId, seriesId: process.env['SERIES'] });
  assert.deepEqual(series, every.filter(({ json }) => json['unique_id'] === process.env['SERIES']));
  const month = String(series[1]?.json['ds']).slice(0, 7);
  assert.deepEqual(await of({ runId, seriesId: process.env['SERIES'], from: month, to: month }), [series[1]]);
  assert.deepEqual(await of({ runId, category: 'no such category' }), []);
  assert.deepEqual(await of({ runId, limit: 2 }), every.slice(0, 2));
  assert.deepEqual(await of({ runId, returnAll: true }), every);
  await assert.rejects(of({ workspaceId: '019a8f3c-0000-7000-8000-00000000ffff' }), /No run of all series has completed yet/);
  await assert.rejects(of({ workspaceId: 'none' }), /none/);
  await assert.rejects(of({ runId: 'none' }), /The run does not exist/);
});

test('totals are those of the latest run of all series, by category or for the workspace, and over months', async () => {
  const of = async (input: Record<string, unknown>): Promise<Record<string, unknown>[]> =>
    (await executeAll({ operation: 'totals', workspaceId: process.env['WORKSPACE'], groupBy: 'category', sumMonths: false, ...input })).map(({ json }) => json);
  const every = await of({});
  assert.ok(every.length > 1);
  assert.equal(typeof every[0]?.['final'], 'number', 'the planners’ overrides');
  const runId = every[0]?.['run_id'];
  const month = String(every[1]?.['ds']).slice(0, 7);
  assert.deepEqual(await of({ runId, from: month, to: month }), every.filter(({ ds }) => String(ds).startsWith(month)));
  const [sum] = await of({ runId, groupBy: 'workspace', sumMonths: true });
  assert.equal(sum?.['category'], null);
  assert.ok(Number(sum?.['months']) > 1 && Number(sum?.['q10']) <= Number(sum?.['q90']));
  assert.deepEqual(await of({ runId, category: 'no such category' }), []);
  await assert.rejects(of({ runId: 'none' }), /The run does not exist/);
});

test('safety stock is listed for the latest run of all series, or for the run and the lead time of an item', async () => {
  const of = async (input: Record<string, unknown>): Promise<Record<string, unknown>[]> =>
    (await executeAll({ operation: 'safetyStocks', workspaceId: process.env['WORKSPACE'], limit: 500, returnAll: false, ...input })).map(({ json }) => json);
  const every = await of({});
  assert.ok(every.length > 1);
  const [first] = every;
  const input = { runId: first?.['run_id'], leadTime: 2 };
  assert.deepEqual((await of(input))[0], await execute({ operation: 'safetyStock', ...input, seriesId: first?.['unique_id'] }));
  assert.deepEqual(await of({ runId: first?.['run_id'], limit: 1 }), [first]);
  assert.deepEqual(await of({ ...input, category: 'no such category' }), []);
  await assert.rejects(of({ ...input, leadTime: 99 }), /lead_time/);
});

test('forecast rows are read page by page, no further than the limit', async (t) => {
  let pages = 0;
  const server = createServer((request, reply) => {
    pages += 1;
    const page = Number(new URL(request.url ?? '', 'http://service').searchParams.get('cursor') ?? 1);
    const link = page < 4 ? { link: `</api/v1/runs/r/forecasts?cursor=${page + 1}>; rel="next"` } : {};
    reply.writeHead(200, { 'content-type': 'application/json', ...link }).end(JSON.stringify([{ page }, { page }]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const read = async (input: object): Promise<number> => (await executeAll({ operation: 'forecastRows', runId: 'r', ...input }, { address })).length;
  assert.deepEqual([await read({ returnAll: true }), pages], [8, 4]);
  assert.deepEqual([await read({ returnAll: false, limit: 3 }), pages], [3, 6]);
});

test('overlapping polls deliver an item once, oldest first', () => {
  const time = (item: { at: string }): string => item.at;
  const first = untold([{ id: 'b', at: '2' }, { id: 'a', at: '1' }], {}, time);
  assert.deepEqual(first.fresh.map((item) => item.id), ['a', 'b']);
  const second = untold([{ id: 'c', at: '2' }, { id: 'b', at: '2' }], first.state, time);
  assert.deepEqual(second.fresh.map((item) => item.id), ['c']);
  assert.equal(second.state.newest, '2');
});

test('a poll looks back a minute before the newest event told, however long none has come since', () => {
  const time = (item: { at: string }): string => item.at;
  const { state } = untold([{ id: 'a', at: '2026-11-21T06:00:00.000Z' }], {}, time);
  const quiet = untold([] as { id: string; at: string }[], state, time);
  assert.equal(since(quiet.state, new Date('2026-12-01T00:00:00Z')), '2026-11-21T05:59:00.000Z');
  assert.equal(since({}, new Date('2026-12-01T00:00:00Z')), '2026-11-30T23:59:00.000Z');
});

test('overlapping polls deliver each event once, however many share an instant', () => {
  const run = Array.from({ length: 2_500 }, (_, at) => ({ id: String(at), at: '2026-11-21T06:00:00.000Z' }));
  const time = (item: { at: string }): string => item.at;
  const first = untold(run, {}, time);
  assert.equal(first.fresh.length, 2_500);
  assert.deepEqual(untold(run, first.state, time).fresh, []);
});

test('with "continue on fail", refused items are returned beside the others', async () => {
  const parameters = { operation: 'seriesForecast', runId: 'none', seriesId: 'none' };
  const items = await executeAll(parameters, { items: 2, continueOnFail: true });
  assert.deepEqual(items.map((item) => item.pairedItem), [{ item: 0 }, { item: 1 }]);
  for (const { json } of items) assert.match(String(json['error']), /The run does not exist/);
});

test('an error carries the message of the service and the index of the item', async () => {
  const horizon = execute({ operation: 'triggerRun', horizon: 99, workspaceId: process.env['WORKSPACE'] });
  await assert.rejects(horizon, (error: { message: string; httpCode: string; context: { itemIndex: number } }) => {
    assert.match(error.message, /config_overrides\.horizon: must be/);
    assert.equal(error.httpCode, '400');
    assert.equal(error.context.itemIndex, 0);
    return true;
  });
  await assert.rejects(execute({ operation: 'seriesForecast', runId: 'x', seriesId: 'x' }, { apiKey: 'fk_wrong' }), /API key is not valid/);
});

test('retrying an item starts no second run, but another loop iteration does', async () => {
  const parameters = { operation: 'triggerRun', horizon: 2, workspaceId: process.env['WORKSPACE'] };
  const first = await execute(parameters, { execution: 'retried' });
  assert.equal((await execute(parameters, { execution: 'retried' }))['id'], first['id']);
  assert.notEqual((await execute(parameters, { execution: 'retried', round: 1 }))['id'], first['id']);
});

test('workspaces and completed runs are offered as choices', async () => {
  assert.ok((await options('getWorkspaces')).some(({ name, value }) => name === 'Main' && value === process.env['WORKSPACE']));
  const [newest] = await options('getCompletedRuns');
  assert.match(String(newest?.name), /^Main: \d{4}-\d\d-\d\d \d\d:\d\d UTC, \d+ series/);
  const input = { operation: 'seriesForecast', runId: newest?.value, seriesId: process.env['SERIES'] };
  assert.equal((await execute(input))['run_id'], newest?.value);
});
