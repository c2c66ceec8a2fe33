const assert = require('node:assert/strict');
const { createServer } = require('node:http');
const { test } = require('node:test');
const zapier = require('zapier-platform-core');
const App = require('../index');

const run = zapier.createAppTester(App);
const authData = { base_url: process.env.BASE, api_key: process.env.KEY };
const bundle = (inputData = {}) => ({ authData, inputData, meta: {} });
const ids = (items) => items.map((item) => item.id);
const upload = (inputData) => run(App.creates.upload_demand.operation.perform, bundle({ workspace_id: process.env.WORKSPACE, ...inputData }));
const describe = (inputData) => run(App.creates.describe_series.operation.perform, bundle({ workspace_id: process.env.WORKSPACE, ...inputData }));
const actuals = async (series) => {
  const response = await fetch(`${authData.base_url}/series/${series}/actuals?workspace_id=${process.env.WORKSPACE}`, { headers: { 'x-api-key': authData.api_key } });
  return response.ok ? (await response.json()).map(({ y }) => y) : response.status;
};

test('the connection test checks the key and reports a wrong one', async () => {
  assert.ok((await run(App.authentication.test, bundle())).quota > 0);
  await assert.rejects(run(App.authentication.test, { authData: { ...authData, api_key: 'fk_wrong' } }), /api_key_invalid/);
  for (const base_url of [`${authData.base_url}/`, ` ${authData.base_url} `, `${authData.base_url}/ `]) {
    assert.ok((await run(App.authentication.test, { authData: { ...authData, base_url } })).quota > 0, `"${base_url}"`);
  }
});

test('a refused request is retried where that may help, and asks for the key where that is wrong', async (t) => {
  let answer;
  const server = createServer((request, reply) => {
    const { status, wait, code } = answer;
    reply.writeHead(status, { ...(wait && { 'retry-after': wait }), 'content-type': 'application/problem+json' }).end(JSON.stringify({ code }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const there = { ...authData, base_url: `http://127.0.0.1:${server.address().port}/api/v1` };
  const refusal = async (given) => {
    answer = given;
    const { name, message } = await run(App.authentication.test, { authData: there }).catch((error) => error);
    return [name, JSON.parse(message).delay];
  };
  assert.deepEqual(await refusal({ status: 503, code: 'not_ready', wait: '7' }), ['ThrottledError', 7]);
  assert.deepEqual(await refusal({ status: 409, code: 'idempotency_key_in_use', wait: '2' }), ['ThrottledError', 2]);
  assert.deepEqual(await refusal({ status: 503, wait: 'Wed, 21 Oct 2026 07:28:00 GMT' }), ['ThrottledError', 60], 'of a proxy');
  answer = { status: 401, code: 'api_key_invalid' };
  await assert.rejects(run(App.authentication.test, { authData: there }), { name: 'ExpiredAuthError' });
});

test('every trigger returns an array of items with unique ids', async () => {
  for (const trigger of Object.values(App.triggers)) {
    const items = await run(trigger.operation.perform, bundle());
    assert.ok(Array.isArray(items), trigger.key);
    assert.equal(new Set(ids(items)).size, items.length, trigger.key);
  }
});

test('runs that finish during a poll fire exactly once', async () => {
  const perform = App.triggers.run_completed.operation.perform;
  const seen = new Set(ids(await run(perform, bundle())));
  const started = new Set();
  const fired = [];
  const own = () => fired.filter((id) => started.has(id)); // others may still be running
  for (let poll = 0; poll < 60; poll += 1) {
    if (poll < 4) started.add((await run(App.creates.trigger_run.operation.perform, bundle({ horizon: 2, workspace_id: process.env.WORKSPACE }))).id);
    for (const id of ids(await run(perform, bundle()))) {
      if (seen.has(id)) continue; // as Zapier does
      seen.add(id);
      fired.push(id);
    }
    if (own().length === started.size && poll >= 4) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  assert.deepEqual(own().toSorted(), [...started].toSorted());
});

test('the forecast and the safety stock of a series are found', async () => {
  const [{ id: run_id }] = await run(App.triggers.run_completed.operation.perform, bundle());
  const input = { run_id, series_id: process.env.SERIES };
  const [forecast] = await run(App.searches.series_forecast.operation.perform, bundle(input));
  assert.ok(forecast.low_estimate <= forecast.best_estimate && forecast.best_estimate <= forecast.high_estimate);
  assert.deepEqual([forecast, ...forecast.months].filter(({ final }) => typeof final !== 'number'), [], 'the planners’ overrides');
  const [stock] = await run(App.searches.safety_stock.operation.perform, bundle({ ...input, service_level: 0.9 }));
  assert.ok(stock.reorder_point >= stock.safety_stock);
  await assert.rejects(
    run(App.searches.safety_stock.operation.perform, bundle({ ...input, service_level: 0.4 })),
    /service_level/,
  );
});

test('an unknown series or category gives an empty list, an unknown run an error', async () => {
  const [{ id: run_id }] = await run(App.triggers.run_completed.operation.perform, bundle());
  for (const [field, unknown] of [['series_id', 'no/such product'], ['category', 'no/such category']]) {
    const selecting = Object.values(App.searches).filter(({ operation }) => operation.inputFields.some(({ key }) => key === field));
    assert.ok(selecting.length > 2);
    for (const search of selecting) {
      assert.deepEqual(await run(search.operation.perform, bundle({ run_id, [field]: unknown })), [], search.key);
    }
  }
  for (const run_id of ['019a8f3c-0000-7000-8000-00000000ffff', 'x']) {
    for (const search of Object.values(App.searches)) {
      const ofDeleted = run(search.operation.perform, bundle({ run_id, series_id: process.env.SERIES }));
      await assert.rejects(ofDeleted, /The run does not exist/, search.key);
    }
  }
});

test('the editor gets the newest events however old they are, from the first page alone', async () => {
  const asked = [];
  const server = createServer((request, reply) => {
    asked.push(new URL(request.url, 'http://service'));
    reply.writeHead(200, { 'content-type': 'application/json', ...(asked.at(-1).searchParams.has('cursor') ? {} : { link: '</api/v1/runs?cursor=x>; rel="next"' }) });
    reply.end('[]');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const poll = async (meta) => {
    asked.length = 0;
    const there = { ...authData, base_url: `http://127.0.0.1:${server.address().port}/api/v1` };
    await run(App.triggers.run_completed.operation.perform, { authData: there, inputData: {}, meta });
    return { pages: asked.length, since: asked[0].searchParams.get('since') };
  };
  for (const meta of [{ isLoadingSample: true }, { isFillingDynamicDropdown: true }]) {
    assert.deepEqual(await poll(meta), { pages: 1, since: '2000-01-01T00:00:00.000Z' });
  }
  const { pages, since } = await poll({});
  server.close();
  assert.equal(pages, 2);
  assert.equal(asked[1].search, '?cursor=x', 'the link names all of the query');
  assert.ok(Date.parse(since) > Date.now() - 4 * 86_400_000);
});

test('failed runs are asked for, and told with their error', async (t) => {
  const failed = { ...App.triggers.run_failed.operation.sample, finished_at: new Date().toISOString() };
  const asked = [];
  const server = createServer((request, reply) => {
    asked.push(new URL(request.url, 'http://service').searchParams.get('status'));
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([failed]));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const there = { ...authData, base_url: `http://127.0.0.1:${server.address().port}/api/v1` };
  assert.deepEqual(await run(App.triggers.run_failed.operation.perform, { authData: there, inputData: {}, meta: {} }), [failed]);
  assert.deepEqual(asked, ['failed']);
});

test('unread alerts alone are asked for', async (t) => {
  let asked;
  const server = createServer((request, reply) => {
    asked = new URL(request.url, 'http://service');
    reply.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const there = { ...authData, base_url: `http://127.0.0.1:${server.address().port}/api/v1` };
  await run(App.triggers.demand_alert.operation.perform, { authData: there, inputData: {}, meta: {} });
  assert.deepEqual([asked.pathname, asked.searchParams.get('unread')], ['/api/v1/alerts', 'true']);
});

test('forecast rows are those of the latest run of all series, up to the limit', async () => {
  const ask = (input) => run(App.searches.forecast_rows.operation.perform, bundle({ workspace_id: process.env.WORKSPACE, ...input }));
  const [every] = await ask({});
  const { run_id } = every;
  const [series] = await ask({ run_id, series_id: process.env.SERIES });
  assert.deepEqual(series.rows, every.rows.filter(({ unique_id }) => unique_id === process.env.SERIES));
  assert.ok(series.rows.length > 1);
  const month = series.rows[1].ds.slice(0, 7);
  assert.deepEqual((await ask({ run_id, series_id: process.env.SERIES, from: month, to: month }))[0].rows, [series.rows[1]]);
  const [two] = await ask({ run_id, limit: 2 });
  assert.deepEqual([two.rows, two.has_more, every.has_more], [every.rows.slice(0, 2), true, false]);
  assert.deepEqual(await ask({ series_id: 'no/such product' }), []);
  await assert.rejects(ask({ limit: 10_001 }), /limit/);
  await assert.rejects(ask({ run_id: 'x' }), /The run does not exist/);
  await assert.rejects(ask({ workspace_id: '019a8f3c-0000-7000-8000-00000000ffff' }), /No run of all series has completed yet/);
  await assert.rejects(ask({ workspace_id: 'x' }), /Run has no property x/);
});

test('totals are those of the latest run of all series, by category or for the workspace, and over months', async () => {
  const ask = (input) => run(App.searches.totals.operation.perform, bundle({ workspace_id: process.env.WORKSPACE, ...input }));
  const [{ run_id, totals }] = await ask({});
  assert.ok(totals.length > 1);
  const [sum] = (await ask({ run_id, group_by: 'workspace', sum_months: true }))[0].totals;
  assert.equal(sum.category, null);
  assert.ok(sum.months > 1 && sum.q10 <= sum.q50 && sum.q50 <= sum.q90);
  const month = totals[1].ds.slice(0, 7);
  const [{ totals: ofMonth }] = await ask({ run_id, from: month, to: month });
  assert.deepEqual(ofMonth, totals.filter(({ ds }) => ds.startsWith(month)));
  assert.deepEqual(Object.keys(ofMonth[0]), Object.keys(App.searches.totals.operation.sample.totals[0]));
  await assert.rejects(ask({ from: '2027-13' }), /from/);
});

test('safety stock is listed for the latest run of all series, or for the run and the lead time given', async () => {
  const ask = (input) => run(App.searches.safety_stocks.operation.perform, bundle({ workspace_id: process.env.WORKSPACE, ...input }));
  const [{ run_id, has_more, stocks }] = await ask({});
  assert.ok(stocks.length > 1 && !has_more);
  const [listed] = await ask({ run_id, lead_time: 2, limit: 1 });
  assert.equal(listed.has_more, true);
  const input = { run_id, series_id: stocks[0].unique_id, lead_time: 2 };
  const [{ id: _, ...stock }] = await run(App.searches.safety_stock.operation.perform, bundle(input));
  assert.deepEqual(listed.stocks, [stock]);
  assert.deepEqual(Object.keys(stock).sort(), Object.keys(App.searches.safety_stocks.operation.sample.stocks[0]).sort());
  await assert.rejects(ask({ run_id, limit: 501 }), /limit/);
  await assert.rejects(ask({ run_id: 'x' }), /The run does not exist/);
});

/** Polls a service whose list has so many pages, of one item each. */
async function pollPages(t, count) {
  const server = createServer((request, reply) => {
    const page = Number(new URL(request.url, 'http://service').searchParams.get('cursor') ?? 1);
    const link = page < count ? { link: `</api/v1/alerts?cursor=${page + 1}>; rel="next"` } : {};
    reply.writeHead(200, { 'content-type': 'application/json', ...link }).end(JSON.stringify([{ id: String(page) }]));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const there = { ...authData, base_url: `http://127.0.0.1:${server.address().port}/api/v1` };
  return run(App.triggers.demand_alert.operation.perform, { authData: there, inputData: {}, meta: {} });
}

test('a poll reads every page', async (t) => {
  assert.equal((await pollPages(t, 45)).length, 45);
});

test('a poll that would exceed Zapier’s time limit fails instead of skipping events', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 1_000));
  await assert.rejects(pollPages(t, Infinity), /within Zapier's limit of 30 seconds: \d+ were read, and there are more/);
});

test('completed runs are offered as choices, told apart by workspace, time and number of series', async () => {
  const [[newest], [choice]] = await Promise.all(
    [App.triggers.run_completed, App.triggers.completed_run].map(({ operation }) => run(operation.perform, bundle())),
  );
  assert.equal(choice.id, newest.id);
  assert.match(choice.label, /^Main: \d{4}-\d\d-\d\d \d\d:\d\d UTC, \d+ series/);
});

test('samples have the fields of real replies', async () => {
  const [completed] = await run(App.triggers.run_completed.operation.perform, bundle());
  const input = { run_id: completed.id, series_id: process.env.SERIES };
  const started = await run(App.creates.trigger_run.operation.perform, bundle({ horizon: 2, workspace_id: process.env.WORKSPACE }));
  const [workspace] = await run(App.triggers.workspace.operation.perform, bundle());
  assert.equal(workspace.id, process.env.WORKSPACE);
  const [choice] = await run(App.triggers.completed_run.operation.perform, bundle());
  const real = [[App.triggers.run_completed, completed], [App.creates.trigger_run, started], [App.triggers.workspace, workspace], [App.triggers.completed_run, choice]];
  for (const search of Object.values(App.searches)) real.push([search, (await run(search.operation.perform, bundle(input)))[0]]);
  real.push([App.creates.upload_demand, await upload({ rows: [{ unique_id: `zapier-${process.pid}-5`, ds: '2026-01', y: 1 }] })]);
  real.push([App.creates.describe_series, await describe({ rows: [{ unique_id: `zapier-${process.pid}-5`, unit: 'kg' }] })]);
  // of failed runs, alerts and changes of trend this service has none: the OpenAPI document tells their fields
  const { schemas } = require('../../../docs/openapi.json').components;
  real.push([App.triggers.run_failed, schemas.RunDto.properties]);
  real.push([App.triggers.demand_alert, schemas.AlertDto.properties], [App.triggers.trend_changed, schemas.TrendChangeDto.properties]);
  for (const [{ key, operation }, item] of real) assert.deepEqual(Object.keys(operation.sample).sort(), Object.keys(item).sort(), key);
  const [, forecast] = real.find(([{ key }]) => key === 'series_forecast');
  const [sample] = App.searches.series_forecast.operation.sample.months;
  const [row] = App.searches.forecast_rows.operation.sample.rows;
  assert.deepEqual(Object.keys(row).sort(), Object.keys(schemas.ForecastRowDto.properties).sort());
  for (const month of forecast.months) assert.deepEqual(Object.keys(month).sort(), Object.keys(sample).sort());
});

test('a run started twice with one idempotency key is one run, whatever the script of the key', async () => {
  const input = { horizon: 2, workspace_id: process.env.WORKSPACE, idempotency_key: `Bestellung für ${process.pid} – №1` };
  const ids = [];
  for (let n = 0; n < 2; n += 1) ids.push((await run(App.creates.trigger_run.operation.perform, bundle(input))).id);
  assert.equal(ids[0], ids[1]);
});

test('an input of zero is refused, not treated as missing', async () => {
  const trigger = run(App.creates.trigger_run.operation.perform, bundle({ horizon: 0, workspace_id: process.env.WORKSPACE }));
  await assert.rejects(trigger, /horizon/);
  const [{ id: run_id }] = await run(App.triggers.run_completed.operation.perform, bundle());
  const input = { run_id, series_id: process.env.SERIES, lead_time: 0 };
  await assert.rejects(run(App.searches.safety_stock.operation.perform, bundle(input)), /lead_time/);
});

test('rows are uploaded at once, with quantities that are text as numbers', async () => {
  const rows = [
    { unique_id: `zapier-${process.pid}-1`, ds: '2026-01', y: '12.5', product_name: 'From Zapier', category: '' },
    { unique_id: `zapier-${process.pid}-1`, ds: '2026-03', y: 7 },
    { unique_id: `zapier-${process.pid}-2`, ds: '2026-01', y: 0 },
  ];
  const report = await upload({ rows, fill: '' });
  assert.deepEqual([report.rows, report.series_created, report.gaps], [3, 2, 1]);
  assert.deepEqual([await actuals(`zapier-${process.pid}-1`), await actuals(`zapier-${process.pid}-2`)], [[12.5, 7], [0]]);
  await upload({ rows, fill: 'zero' });
  assert.deepEqual(await actuals(`zapier-${process.pid}-1`), [12.5, 0, 7]);
});

test('rows without demand describe series that have some, with numbers that are text as numbers', async () => {
  const unique_id = `zapier-${process.pid}-6`;
  await upload({ rows: [{ unique_id, ds: '2026-01', y: 1, product_name: 'Beans' }] });
  const report = await describe({ rows: [{ unique_id, product_name: '', lead_time_months: '1.5', target_service_level: 0.98 }] });
  assert.deepEqual([report.series_updated, report.months], [1, null]);
  const response = await fetch(`${authData.base_url}/series/${unique_id}?workspace_id=${process.env.WORKSPACE}`, { headers: { 'x-api-key': authData.api_key } });
  const { product_name, lead_time_months, target_service_level } = await response.json();
  assert.deepEqual([product_name, lead_time_months, target_service_level], ['Beans', 1.5, 0.98]);
  await assert.rejects(describe({ rows: [{ unique_id: `zapier-${process.pid}-7` }] }), /unique_id: row 1: the workspace has no series/);
  await assert.rejects(upload({ rows: [{ unique_id, ds: '', y: '', product_name: 'Oats' }] }), /ds: row 1: is missing/);
});

test('a repeated upload with one idempotency key does not undo a later one, and the key can start a run too', async () => {
  const idempotency_key = `upload ${process.pid}`;
  const send = (y, key) => upload({ rows: [{ unique_id: `zapier-${process.pid}-3`, ds: '2026-01', y }], idempotency_key: key });
  const { id } = await send(1, idempotency_key);
  await send(2);
  assert.equal((await send(1, idempotency_key)).id, id);
  assert.deepEqual(await actuals(`zapier-${process.pid}-3`), [2]);
  const started = await run(App.creates.trigger_run.operation.perform, bundle({ horizon: 2, workspace_id: process.env.WORKSPACE, idempotency_key }));
  assert.equal(started.config.horizon, 2);
});

test('every wrong row is named with its message, an empty quantity too, and nothing is stored', async () => {
  const rows = [
    { unique_id: `zapier-${process.pid}-4`, ds: '2026-01', y: 1 },
    { unique_id: `zapier-${process.pid}-4`, ds: '2026-13', y: 1 },
    { unique_id: `zapier-${process.pid}-4`, ds: '2026-02', y: '' },
    { unique_id: `zapier-${process.pid}-4`, ds: '2026-03', y: 'many' },
    { unique_id: `zapier-${process.pid}-4`, ds: '2026-04', y: ' ' },
  ];
  const expected =
    /4 rows were rejected.*ds: row 2: .*2026-13.* is not a date.*y: row 3: is missing.*y: row 4: must be a number.*y: row 5: must be a number/;
  await assert.rejects(upload({ rows }), expected);
  assert.equal(await actuals(`zapier-${process.pid}-4`), 404);
  await assert.rejects(upload({}), /contains no rows/);
});
