import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemandForecasting } from '../nodes/DemandForecasting/DemandForecasting.node.ts';
import { DemandForecastingTrigger } from '../nodes/DemandForecasting/DemandForecastingTrigger.node.ts';
import { untold } from '../nodes/DemandForecasting/polling.ts';

const baseUrl = process.env['BASE'] ?? '';

/** What n8n gives to a node, as far as ours use it; requests go to the running service. */
function context(parameters: Record<string, unknown>, mode = 'trigger'): { staticData: object } & Record<string, unknown> {
  const staticData = {};
  return {
    staticData,
    getNodeParameter: (name: string) => parameters[name],
    getCredentials: async () => ({ baseUrl }),
    getMode: () => mode,
    getInputData: () => [{ json: {} }],
    getWorkflowStaticData: () => staticData,
    helpers: { httpRequestWithAuthentication: request },
  };
}

interface Request {
  readonly url: string;
  readonly method?: string;
  readonly qs?: Record<string, unknown>;
  readonly body?: unknown;
  readonly returnFullResponse?: boolean;
}

async function request(_credential: string, { url, method = 'GET', qs, body, returnFullResponse }: Request): Promise<unknown> {
  const target = new URL(url);
  for (const [name, value] of Object.entries(qs ?? {})) target.searchParams.set(name, String(value));
  const headers = { 'x-api-key': process.env['KEY'] ?? '', ...(body ? { 'content-type': 'application/json' } : {}) };
  const reply = await fetch(target, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!reply.ok) throw new Error(await reply.text());
  const parsed: unknown = await reply.json();
  return returnFullResponse ? { body: parsed, headers: Object.fromEntries(reply.headers) } : parsed;
}

const poll = (on: object): Promise<{ json: { id: string } }[][] | null> =>
  new DemandForecastingTrigger().poll.call(on as never) as never;
const execute = async (parameters: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const [[item]] = (await new DemandForecasting().execute.call(context(parameters) as never)) as never as [[{ json: Record<string, unknown> }]];
  return item.json;
};

test('runs that finish while the trigger is polled are told once each, none is missed', async () => {
  const on = context({ event: 'runCompleted' });
  await poll(on);
  const started: string[] = [];
  const told: string[] = [];
  for (let n = 0; n < 60 && (n < 4 || told.length < started.length); n += 1) {
    if (n < 4) started.push(String((await execute({ operation: 'triggerRun', horizon: 2, workspaceId: process.env['WORKSPACE'] }))['id']));
    told.push(...((await poll(on))?.[0] ?? []).map((item) => item.json.id));
    await sleep(500);
  }
  assert.deepEqual(told.filter((id) => started.includes(id)).toSorted(), started.toSorted());
  assert.equal(new Set(told).size, told.length);
});

test('every event can be polled, and a manual test shows the newest item at most', async () => {
  for (const event of ['runCompleted', 'demandAlert', 'trendChanged']) {
    const items = await poll(context({ event }, 'manual'));
    assert.ok(items === null || items[0]?.length === 1, event);
  }
});

test('the forecast and the safety stock of a series are read', async () => {
  const [[newest]] = (await poll(context({ event: 'runCompleted' }, 'manual'))) as { json: { id: string } }[][] as [[{ json: { id: string } }]];
  const input = { runId: newest.json.id, seriesId: process.env['SERIES'] };
  assert.equal(typeof (await execute({ operation: 'seriesForecast', ...input }))['best_estimate'], 'number');
  const stock = await execute({ operation: 'safetyStock', ...input, leadTime: 1, serviceLevel: 0.9 });
  assert.equal(typeof stock['reorder_point'], 'number');
});

test('overlapping polls tell an item once, oldest first', () => {
  const time = (item: { at: string }): string => item.at;
  const first = untold([{ id: 'b', at: '2' }, { id: 'a', at: '1' }], {}, time);
  assert.deepEqual(first.fresh.map((item) => item.id), ['a', 'b']);
  const second = untold([{ id: 'c', at: '2' }, { id: 'b', at: '2' }], first.state, time);
  assert.deepEqual(second.fresh.map((item) => item.id), ['c']);
  assert.equal(second.state.newest, '2');
});

test('however many events one instant has, those that overlapping polls see again are told once', () => {
  const run = Array.from({ length: 2_500 }, (_, at) => ({ id: String(at), at: '2026-11-21T06:00:00.000Z' }));
  const time = (item: { at: string }): string => item.at;
  const first = untold(run, {}, time);
  assert.equal(first.fresh.length, 2_500);
  assert.deepEqual(untold(run, first.state, time).fresh, []);
});

test('items that are refused are told beside the others where the node goes on after faults', async () => {
  const parameters = { operation: 'seriesForecast', runId: 'none', seriesId: 'none' };
  const refusing = { ...context(parameters), continueOnFail: () => true };
  const [[item]] = (await new DemandForecasting().execute.call(refusing as never)) as never as [[{ json: { error: string } }]];
  assert.match(item.json.error, /run_id/);
});
