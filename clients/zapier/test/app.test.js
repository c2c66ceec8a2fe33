const assert = require('node:assert/strict');
const { test } = require('node:test');
const zapier = require('zapier-platform-core');
const App = require('../index');

const run = zapier.createAppTester(App);
const authData = { base_url: process.env.BASE, api_key: process.env.KEY };
const bundle = (inputData = {}) => ({ authData, inputData, meta: {} });
const ids = (items) => items.map((item) => item.id);

test('the connection is tested by the key, and a wrong key is told', async () => {
  assert.ok((await run(App.authentication.test, bundle())).quota > 0);
  await assert.rejects(run(App.authentication.test, { authData: { ...authData, api_key: 'fk_wrong' } }), /api_key_invalid/);
});

test('every trigger answers an array of items with unique ids', async () => {
  for (const trigger of Object.values(App.triggers)) {
    const items = await run(trigger.operation.perform, bundle());
    assert.ok(Array.isArray(items), trigger.key);
    assert.equal(new Set(ids(items)).size, items.length, trigger.key);
  }
});

test('runs that finish while the trigger is polled fire once each, none is missed', async () => {
  const perform = App.triggers.run_completed.operation.perform;
  const seen = new Set(ids(await run(perform, bundle())));
  const started = new Set();
  const fired = [];
  for (let poll = 0; poll < 60; poll += 1) {
    if (poll < 4) started.add((await run(App.creates.trigger_run.operation.perform, bundle({ horizon: 2, workspace_id: process.env.WORKSPACE }))).id);
    for (const id of ids(await run(perform, bundle()))) {
      if (seen.has(id)) continue; // as Zapier does
      seen.add(id);
      fired.push(id);
    }
    if (fired.length === started.size && poll >= 4) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  assert.deepEqual(fired.toSorted(), [...started].toSorted());
});

test('the forecast and the safety stock of a series are found', async () => {
  const [{ id: run_id }] = await run(App.triggers.run_completed.operation.perform, bundle());
  const input = { run_id, series_id: process.env.SERIES };
  const [forecast] = await run(App.searches.series_forecast.operation.perform, bundle(input));
  assert.ok(forecast.low_estimate <= forecast.best_estimate && forecast.best_estimate <= forecast.high_estimate);
  const [stock] = await run(App.searches.safety_stock.operation.perform, bundle({ ...input, service_level: 0.9 }));
  assert.ok(stock.reorder_point >= stock.safety_stock);
  await assert.rejects(
    run(App.searches.safety_stock.operation.perform, bundle({ ...input, service_level: 0.4 })),
    /service_level/,
  );
});

test('an input of zero is refused, not taken for one that was left out', async () => {
  const trigger = run(App.creates.trigger_run.operation.perform, bundle({ horizon: 0, workspace_id: process.env.WORKSPACE }));
  await assert.rejects(trigger, /horizon/);
  const [{ id: run_id }] = await run(App.triggers.run_completed.operation.perform, bundle());
  const input = { run_id, series_id: process.env.SERIES, lead_time: 0 };
  await assert.rejects(run(App.searches.safety_stock.operation.perform, bundle(input)), /lead_time/);
});
