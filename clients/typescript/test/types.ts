// Checked by the compiler alone: what an operation requires cannot be left out, what it does not know cannot be given.
import { type components, ForecastingClient } from '../src/index.ts';

export async function calls(client: ForecastingClient): Promise<void> {
  await client.get('/api/v1/usage');
  await client.get('/api/v1/series', {});
  await client.post('/api/v1/runs');
  // @ts-expect-error its path has an id
  await client.get('/api/v1/runs/{run_id}');
  // @ts-expect-error run_id is required
  await client.get('/api/v1/series/{series_id}/forecast', { path: { series_id: 'SKU-1' } });
  // @ts-expect-error there is no such parameter
  await client.get('/api/v1/runs', { query: { page: 1 } });
  // @ts-expect-error a GET has no body
  await client.get('/api/v1/usage', { body: {} });
  // @ts-expect-error rows are required
  await client.post('/api/v1/actuals');
  // @ts-expect-error its path has an id
  for await (const _ of client.list('/api/v1/runs/{run_id}/forecasts')) break;
  for await (const alert of client.list('/api/v1/alerts')) alert satisfies components['schemas']['AlertDto'];
}
