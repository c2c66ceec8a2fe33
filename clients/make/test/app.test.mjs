import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
const app = read('makecomapp.json');
const document = read('../../docs/openapi.json');

/** A component with its code read in. */
const opened = ({ codeFiles, ...metadata }) => ({
  ...metadata,
  ...Object.fromEntries(Object.entries(codeFiles).map(([code, path]) => [code, read(path)])),
});
const modules = Object.entries(app.components.module).map(([id, component]) => ({ id, ...opened(component) }));
const triggers = modules.filter(({ moduleType }) => moduleType === 'trigger');
const lists = Object.entries(app.components.rpc).map(([id, component]) => ({ id, ...opened(component) }));

const operationOf = ({ url, method }) => {
  const path = url.replaceAll(/\{\{encodeURL\(parameters\.(\w+)\)\}\}/g, '{$1}');
  return document.paths[`/api/v1${path}`]?.[method.toLowerCase()];
};
const schemaAt = (schema) => (schema.$ref ? document.components.schemas[schema.$ref.split('/').pop()] : schema);
const get = async (path, query = {}) =>
  fetch(`${process.env.BASE}${path}?${new URLSearchParams(query)}`, { headers: { 'x-api-key': process.env.KEY } });

test('three triggers and three actions use routes and parameters that the API has', () => {
  assert.deepEqual([triggers.length, modules.length], [3, 6]);
  for (const { id, communication } of [...modules, ...lists]) {
    const operation = operationOf(communication);
    assert.ok(operation, `${id}: ${communication.url}`);
    const known = operation.parameters?.map(({ name }) => name) ?? [];
    const sent = [...Object.keys(communication.qs ?? {}), ...Object.keys(communication.pagination?.qs ?? {})];
    for (const name of sent) assert.ok(known.includes(name), `${id}: ${name}`);
  }
});

test('modules ask for every parameter they use, and every choice has its list', () => {
  for (const { id, communication, staticParams = [], mappableParams = [] } of modules) {
    const asked = [...staticParams, ...mappableParams];
    const used = [...JSON.stringify(communication).matchAll(/parameters\.(\w+)/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(used)].sort(), asked.map(({ name }) => name).sort(), id);
    for (const { options } of asked) assert.ok(options === undefined || app.components.rpc[options.replace('rpc://', '')], `${id}: ${options}`);
  }
});

test('modules offer the fields of the replies for mapping', () => {
  const ofLists = { watchCompletedRuns: 'RunDto', watchDemandAlerts: 'AlertDto', watchTrendChanges: 'TrendChangeDto' };
  for (const module of modules) {
    const { responses } = operationOf(module.communication);
    const reply = ofLists[module.id]
      ? document.components.schemas[ofLists[module.id]]
      : schemaAt((responses['200'] ?? responses['202']).content['application/json'].schema);
    assert.deepEqual(module.interface.map(({ name }) => name).sort(), Object.keys(reply.properties).sort(), module.id);
  }
});

test('the members of every collection and array are offered too, or declared open', () => {
  const partOf = (schema) => {
    const { items, anyOf, oneOf, allOf, ...own } = schemaAt(schema);
    const inner = items ?? [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].find(({ type }) => type !== 'null');
    return inner ? partOf(inner) : own;
  };
  for (const { id, interface: fields, communication } of modules) {
    const { responses } = operationOf(communication);
    const { properties } = partOf((responses['200'] ?? responses['202']).content['application/json'].schema);
    for (const { name, type, spec } of fields.filter((field) => ['array', 'collection'].includes(field.type))) {
      const told = Array.isArray(spec) ? spec.map((member) => member.name).sort() : spec?.type;
      if (type === 'collection' && told?.length === 0) continue;
      const part = partOf(properties[name]);
      const there = part.properties ? Object.keys(part.properties).sort() : 'text';
      assert.deepEqual(told, there, `${id}: ${name}`);
    }
  }
});

test('every trigger returns items with their id and date', async () => {
  const value = (item, template) => item[/^\{\{item\.(\w+)\}\}$/.exec(template)[1]];
  for (const { communication, epoch } of triggers) {
    const fixed = Object.entries({ ...communication.qs, ...epoch.qs }).filter(([, text]) => !text.startsWith('{{'));
    const reply = await get(communication.url, Object.fromEntries(fixed));
    assert.equal(reply.status, 200);
    for (const item of await reply.json()) {
      assert.equal(typeof value(item, communication.response.trigger.id), 'string');
      assert.ok(!Number.isNaN(Date.parse(value(item, communication.response.trigger.date))));
    }
  }
});

test('a trigger asks again for the instant of the last event, in UTC: many events may share a time, and "since" is strict', () => {
  for (const { id, communication } of triggers) {
    const since = communication.qs.since ?? communication.qs.trend_changed_since;
    assert.match(since, /addSeconds\(ifempty\(data\.lastDate, .*\), -1\)/, id);
    assert.match(since, /, 'UTC'\)\}\}$/, id);
  }
});

test('a trigger follows the Link header to the next page', async () => {
  const [{ communication }] = triggers;
  const [, pattern] = /^\{\{replace\(headers\.link, '\/(.+)\/', '\$1'\)\}\}$/.exec(communication.pagination.qs.cursor);
  await fetch(`${process.env.BASE}/runs`, {
    method: 'POST',
    headers: { 'x-api-key': process.env.KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ workspace_id: process.env.WORKSPACE, config_overrides: { horizon: 2 } }),
  });
  const first = await get(communication.url, { limit: '1' });
  const cursor = first.headers.get('link').replace(new RegExp(pattern), '$1');
  const [[shown], [next]] = [await first.json(), await (await get(communication.url, { limit: '1', cursor })).json()];
  assert.notEqual(next.id, shown.id);
});

test('the address of a connection may have trailing slashes and surrounding whitespace', () => {
  const { communication } = opened(app.components.connection.apiKey);
  const pattern = /^\{\{replace\(trim\(\w+\.base_url\), '\/(.+)\/', ''\)\}\}(\/usage)?$/;
  for (const url of [communication.url, read(app.generalCodeFiles.base).baseUrl]) {
    const [, slashes] = pattern.exec(url);
    for (const address of ['https://a.example/api/v1', ' https://a.example/api/v1// ']) {
      assert.equal(address.trim().replace(new RegExp(slashes), ''), 'https://a.example/api/v1');
    }
  }
});

test('the key never appears in logs', () => {
  const { headers, log } = read(app.generalCodeFiles.base);
  const { communication } = opened(app.components.connection.apiKey);
  for (const part of [{ headers, log }, communication]) {
    assert.deepEqual(Object.keys(part.headers), ['x-api-key']);
    assert.deepEqual(part.log.sanitize, ['request.headers.x-api-key']);
  }
});
