import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { ApiProblem, ForecastingClient } from 'demand-forecasting-client';

test('the installed package can be imported and required', async () => {
  const required = createRequire(import.meta.url)('demand-forecasting-client') as typeof import('demand-forecasting-client');
  for (const Client of [ForecastingClient, required.ForecastingClient]) {
    const client = new Client({ url: new URL(process.env['BASE'] ?? '').origin, apiKey: process.env['KEY'] ?? '' });
    assert.ok((await client.get('/api/v1/usage')).quota > 0);
  }
  assert.equal(required.ApiProblem.name, ApiProblem.name);
});
