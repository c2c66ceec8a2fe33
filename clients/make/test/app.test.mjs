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

/** The requests of a module, one after the other. What it returns is of the last. */
const requestsOf = ({ communication }) => [communication].flat();
const operationOf = ({ url, method }) => {
  const path = url.replaceAll(/\{\{encodeURL\((?:ifempty\()?parameters\.(\w+)(?:, temp\.\w+\))?\)\}\}/g, '{$1}');
  return document.paths[`/api/v1${path}`]?.[method.toLowerCase()];
};
const schemaAt = (schema) => (schema.$ref ? document.components.schemas[schema.$ref.split('/').pop()] : schema);
const get = async (path, query = {}) =>
  fetch(`${process.env.BASE}${path}?${new URLSearchParams(query)}`, { headers: { 'x-api-key': process.env.KEY } });

test('four triggers, five actions and three searches use routes and parameters that the API has', () => {
  assert.deepEqual([triggers.length, modules.length], [4, 12]);
  for (const component of [...modules, ...lists]) {
    for (const { url, method, qs, headers, pagination } of requestsOf(component).filter(({ url }) => !url.endsWith('/odata/v4/Runs'))) {
      const operation = operationOf({ url, method });
      assert.ok(operation, `${component.id}: ${url}`);
      const known = operation.parameters?.map(({ name }) => name.toLowerCase()) ?? [];
      for (const name of Object.keys({ ...qs, ...headers, ...pagination?.qs })) assert.ok(known.includes(name), `${component.id}: ${name}`);
    }
  }
});

test('modules ask for every parameter they use, and every choice has its list', () => {
  for (const { id, communication, staticParams = [], mappableParams = [] } of modules) {
    const asked = [...staticParams, ...mappableParams];
    const used = [...JSON.stringify(communication).matchAll(/parameters\.(\w+)/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(used)].sort(), asked.map(({ name }) => name).sort(), id);
    for (const { options } of asked) assert.ok(typeof options !== 'string' || app.components.rpc[options.replace('rpc://', '')], `${id}: ${options}`);
  }
});

test('modules offer the fields of the replies for mapping', () => {
  const ofLists = {
    watchCompletedRuns: 'RunDto',
    watchFailedRuns: 'RunDto',
    watchDemandAlerts: 'AlertDto',
    watchTrendChanges: 'TrendChangeDto',
    getForecastRows: 'ForecastRowDto',
    getTotals: 'ForecastTotalDto',
    listSafetyStock: 'SafetyStockDto',
  };
  for (const module of modules) {
    const { responses } = operationOf(requestsOf(module).at(-1));
    const reply = ofLists[module.id]
      ? document.components.schemas[ofLists[module.id]]
      : schemaAt((responses['200'] ?? responses['202']).content['application/json'].schema);
    const fields = [...Object.keys(reply.properties), ...(['getForecastRows', 'getTotals'].includes(module.id) ? ['run_id'] : [])];
    assert.deepEqual(module.interface.map(({ name }) => name).sort(), fields.sort(), module.id);
  }
});

test('the members of every collection and array are offered too, or declared open', () => {
  const partOf = (schema) => {
    const { items, anyOf, oneOf, allOf, ...own } = schemaAt(schema);
    const inner = items ?? [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].find(({ type }) => type !== 'null');
    return inner ? partOf(inner) : own;
  };
  for (const { id, interface: fields, ...module } of modules) {
    const { responses } = operationOf(requestsOf(module).at(-1));
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

/** Evaluates the few functions of Make's templates that the new modules use, so that their requests can be sent. */
const evaluate = (template, context) => {
  if (Array.isArray(template)) return template.map((part) => evaluate(part, context));
  if (typeof template === 'object' && template !== null) {
    const parts = Object.entries(template).map(([key, part]) => [key, evaluate(part, context)]);
    return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
  }
  if (typeof template !== 'string') return template;
  const functions = {
    encodeURL: encodeURIComponent,
    first: ([item]) => item,
    ifempty: (value, otherwise) => (value === undefined || value === null || value === '' ? otherwise : value),
    length: (list) => list.length,
    map: (list, key) => list.map((item) => item[key]),
    min: Math.min,
    replace: (text, pattern, by) => text.replace(new RegExp(pattern.slice(1, -1)), by),
    trim: (text) => text.trim(),
    when: (condition, yes, no) => (condition ? yes : no),
  };
  const run = (code) => {
    const script = code.replaceAll('if(', 'when(').replaceAll(' = ', ' === ');
    return new Function(...Object.keys(functions), ...Object.keys(context), `return ${script}`)(...Object.values(functions), ...Object.values(context));
  };
  const whole = /^\{\{((?:(?!\}\}).)+)\}\}$/.exec(template);
  return whole ? run(whole[1]) : template.replaceAll(/\{\{(.+?)\}\}/g, (_, code) => run(code));
};

/** Sends the requests of a module as Make does, without following pages. */
async function execute(id, parameters) {
  const { baseUrl } = read(app.generalCodeFiles.base);
  const context = { connection: { base_url: process.env.BASE }, parameters, temp: {} };
  let reply;
  for (const { response: directives, condition = true, pagination, ...request } of requestsOf(modules.find((module) => module.id === id))) {
    if (!evaluate(condition, context)) continue;
    const { url, method, qs = {}, headers = {}, body } = evaluate(request, context);
    const address = url.startsWith('/') ? evaluate(baseUrl, context) + url : url;
    const sent = { 'x-api-key': process.env.KEY, ...headers, ...(body && { 'content-type': 'application/json' }) };
    reply = await fetch(`${address}?${new URLSearchParams(qs)}`, { method, headers: sent, ...(body && { body: JSON.stringify(body) }) });
    context.body = await reply.json();
    const { error = read(app.generalCodeFiles.base).response.error, valid } = directives;
    if (!reply.ok) throw new Error(evaluate(error.message, context));
    if (valid && !evaluate(valid.condition, context)) throw new Error(evaluate(valid.message, context));
    context.temp = { ...context.temp, ...evaluate(directives.temp ?? {}, context) };
  }
  return { body: context.body, runId: context.temp.run_id, more: reply.headers.has('link') };
}

const WORKSPACE = process.env.WORKSPACE;
const actuals = async (series) => (await (await get(`/series/${series}/actuals`, { workspace_id: WORKSPACE })).json()).map(({ y }) => y);

test('rows are uploaded at once, and a repeated upload with one idempotency key does not undo a later one', async () => {
  const row = { unique_id: `make-${process.pid}-1`, ds: '2026-01', y: 1 };
  const send = async (rows, key) => (await execute('uploadDemand', { workspace_id: WORKSPACE, rows, fill: 'none', idempotency_key: key })).body;
  const key = `upload-${process.pid}`;
  const { import_id, rows } = await send([row, { ...row, ds: '2026-02' }], key);
  assert.equal(rows, 2);
  await send([{ ...row, y: 2, category: null }]);
  assert.equal((await send([row, { ...row, ds: '2026-02' }], key)).import_id, import_id);
  assert.deepEqual(await actuals(`make-${process.pid}-1`), [2, 1]);
  const started = await execute('triggerRun', { workspace_id: WORKSPACE, horizon: 2, idempotency_key: key });
  assert.equal(started.body.status, 'queued');
});

test('rows without demand describe series that have some', async () => {
  const unique_id = `make-${process.pid}-3`;
  await execute('uploadDemand', { workspace_id: WORKSPACE, rows: [{ unique_id, ds: '2026-01', y: 1, product_name: 'Beans' }], fill: '' });
  const { body } = await execute('describeSeries', { workspace_id: WORKSPACE, rows: [{ unique_id, lead_time_months: 1.5 }] });
  assert.deepEqual([body.series_updated, body.months], [1, null]);
  const { product_name, lead_time_months } = await (await get(`/series/${unique_id}`, { workspace_id: WORKSPACE })).json();
  assert.deepEqual([product_name, lead_time_months], ['Beans', 1.5]);
  const unknown = execute('describeSeries', { workspace_id: WORKSPACE, rows: [{ unique_id: `make-${process.pid}-4`, lead_time_months: 1 }] });
  await assert.rejects(unknown, /unique_id: row 1: the workspace has no series/);
});

test('every wrong row of an upload is named with its message', async () => {
  const rows = [
    { unique_id: `make-${process.pid}-2`, ds: '2026-13', y: 1 },
    { unique_id: `make-${process.pid}-2`, ds: '2026-01', y: null },
  ];
  const upload = execute('uploadDemand', { workspace_id: WORKSPACE, rows, fill: '' });
  await assert.rejects(upload, /2 rows were rejected.*ds: row 1: "2026-13" is not a date.*y: row 2: is null.*\(invalid_data\)/);
});

test('forecast rows are those of the run, or of the latest run of all series', async () => {
  const latest = await execute('getForecastRows', { workspace_id: WORKSPACE, limit: 500 });
  const run_id = latest.runId;
  const series = await execute('getForecastRows', { run_id, series_id: process.env.SERIES, limit: 500 });
  assert.equal(series.runId, undefined, 'the run is not looked up');
  assert.ok(series.body.length > 1);
  assert.deepEqual(series.body, latest.body.filter(({ unique_id }) => unique_id === process.env.SERIES));
  const month = series.body[1].ds.slice(0, 7);
  const one = await execute('getForecastRows', { run_id, series_id: process.env.SERIES, from: month, to: month, limit: 500 });
  assert.deepEqual(one.body, [series.body[1]]);
  assert.equal((await execute('getForecastRows', { run_id, limit: 1 })).more, true);
  assert.deepEqual((await execute('getForecastRows', { run_id, category: 'no such category', limit: 1 })).body, []);
  const elsewhere = execute('getForecastRows', { workspace_id: '019a8f3c-0000-7000-8000-00000000ffff', limit: 1 });
  await assert.rejects(elsewhere, /No run of all series has completed yet/);
  await assert.rejects(execute('getForecastRows', { workspace_id: 'x', limit: 1 }), /Run has no property x.*\(invalid_request\)/);
});

test('safety stock is listed for the run, or for the latest run of all series', async () => {
  const { body, runId } = await execute('listSafetyStock', { workspace_id: WORKSPACE, limit: 500 });
  assert.ok(body.length > 1);
  const asked = { run_id: runId, lead_time: 2, service_level: 0.9 };
  const listed = await execute('listSafetyStock', { ...asked, limit: 1 });
  assert.equal(listed.more, true);
  assert.deepEqual((await execute('listSafetyStock', { ...asked, category: 'no such category', limit: 1 })).body, []);
  assert.deepEqual(listed.body, [(await execute('getSafetyStock', { ...asked, series_id: body[0].unique_id })).body]);
});

test('totals are those of the run, or of the latest run of all series', async () => {
  const { body, runId: run_id } = await execute('getTotals', { workspace_id: WORKSPACE, sum_months: false });
  assert.ok(body.length > 1);
  const month = body[1].ds.slice(0, 7);
  const ofMonth = await execute('getTotals', { run_id, from: month, to: month });
  assert.deepEqual(ofMonth.body, body.filter(({ ds }) => ds.startsWith(month)));
  const [sum] = (await execute('getTotals', { run_id, group_by: 'workspace', sum_months: true })).body;
  assert.equal(sum.category, null);
  assert.ok(sum.months > 1 && sum.q10 <= sum.q50 && sum.q50 <= sum.q90);
  assert.deepEqual((await execute('getTotals', { run_id, category: 'no such category' })).body, []);
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
