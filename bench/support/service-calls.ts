import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchService } from './bench-service.js';

/** Forecast rows of a page, the most that the API gives at a time. */
export const ROWS = 10_000;

/** Address of the first page of a run's forecast rows. */
export const rowsUrl = (service: BenchService, runId: string): string =>
  `${service.url}/api/v1/runs/${runId}/forecasts?limit=${ROWS}`;

/** Starts a run. @returns its id */
export async function start(service: BenchService, overrides: object): Promise<string> {
  return String((await call(service, 'POST', '/runs', JSON.stringify({ config_overrides: overrides })))['id']);
}

/** Waits for the end of a run. @throws {Error} where it fails, or takes five minutes */
export async function waitForRun(service: BenchService, runId: string): Promise<string> {
  for (let n = 0; n < 1_200; n += 1) {
    const { status, error } = await call(service, 'GET', `/runs/${runId}`);
    if (status === 'completed') return runId;
    if (status === 'failed') throw new Error(`the run failed: ${JSON.stringify(error)}`);
    await sleep(250);
  }
  throw new Error('the run did not end within five minutes');
}

/** Asks the public API with the tenant's key. @throws {Error} where it refuses */
export async function call(
  service: BenchService,
  method: string,
  path: string,
  body?: string,
  type = 'application/json',
): Promise<Record<string, unknown>> {
  const reply = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': service.apiKey, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}
