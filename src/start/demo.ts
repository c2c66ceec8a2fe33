import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueApiKey } from '../access/api-keys/issue-api-key.js';
import { insertOrganization } from '../access/organizations/organizations.queries.js';
import { insertWorkspace } from '../access/organizations/workspaces.queries.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import type { Database, Transaction } from '../platform/database/database.js';
import { asTenant } from '../platform/database/scope.js';
import { newId } from '../platform/ids.js';
import { demoDemand, monthsBefore } from './demo-demand.js';
import { createProgress } from './progress.js';

/** What the demo is reached by; kept in DATA_DIR/secrets so that every start can print it. The demo's data are public. */
export interface DemoAccess {
  readonly workspaceId: string;
  readonly apiKey: string;
}

const POLL_MS = 250;

export function readDemoAccess(dataDirectory: string): DemoAccess | undefined {
  const path = demoFile(dataDirectory);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoAccess) : undefined;
}

export function keepDemoAccess(dataDirectory: string, access: DemoAccess): void {
  writeFileSync(demoFile(dataDirectory), JSON.stringify(access), { mode: 0o600 });
}

/** Makes the demo organization with a workspace and a key bound to it. */
export function createDemoOrganization(database: Database, secrets: Secrets, now: Date): Promise<DemoAccess> {
  const organizationId = newId();
  const workspaceId = newId();
  const create = async (tx: Transaction): Promise<DemoAccess> => {
    await insertOrganization(tx, { id: organizationId, name: 'Demo', plan: 'growth', createdAt: now });
    await insertWorkspace(tx, organizationId, { id: workspaceId, name: 'Demo', timeZone: 'UTC', createdAt: now });
    const request = { workspaceId, name: 'Demo', now };
    const { plaintext } = await issueApiKey(tx, organizationId, secrets.apiKeyPepper, request);
    return { workspaceId, apiKey: plaintext };
  };
  return asTenant({ organizationId, workspaceId: null }, () => database.transaction(create));
}

const demoFile = (dataDirectory: string): string => join(dataDirectory, 'secrets', 'demo.json');

/** Months between the demo's two runs: long enough for demand to have changed. */
const BETWEEN_RUNS = 6;

/**
 * Whether a start was cut off before it had loaded the demo: its workspace has no run, or the first of the demo's two alone,
 * which is the one with a cutoff.
 */
export async function demoIsUnfinished(baseUrl: string, { apiKey }: DemoAccess): Promise<boolean> {
  const reply = await fetch(`${baseUrl}/api/v1/runs?limit=2`, { headers: { 'x-api-key': apiKey } });
  if (!reply.ok) return false;
  const runs = (await reply.json()) as { config: { cutoff: string | null } }[];
  return runs.every(({ config }) => config.cutoff !== null) && runs.length < 2;
}

/**
 * Uploads the demo demand and forecasts it twice, as of some months ago and now, so that there are changes to look at. Through
 * the public API like any client, showing the progress.
 */
export async function loadDemo(
  baseUrl: string,
  { workspaceId, apiKey }: DemoAccess,
  now: Date,
  stopped: () => boolean,
): Promise<void> {
  const call = async (
    method: string,
    path: string,
    post?: { readonly type: string; readonly body: string; readonly step: string },
  ): Promise<Record<string, unknown>> => {
    const reply = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        // two processes that start at once load the demo once
        ...(post && { 'content-type': post.type, 'idempotency-key': `demo ${post.step}` }),
      },
      ...(post && { body: post.body }),
    });
    if (!reply.ok)
      throw new Error(`the demo could not be loaded: ${method} ${path} answered ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  const forecast = async (step: string, title: string, overrides: object): Promise<void> => {
    const body = JSON.stringify({ workspace_id: workspaceId, config_overrides: overrides });
    const run = await call('POST', '/runs', { type: 'application/json', body, step });
    const progress = createProgress(title);
    for (;;) {
      const state = await call('GET', `/runs/${String(run['id'])}`);
      const { series_done: done, series_total: total } = state['progress'] as {
        series_done: number;
        series_total: number;
      };
      if (total > 0) progress.update(done, total);
      if ((state['status'] !== 'queued' && state['status'] !== 'running') || stopped()) break;
      await sleep(POLL_MS);
    }
    progress.finish();
  };
  const csv = { type: 'text/csv', body: await demoDemand(now), step: 'demand' };
  await call('POST', `/actuals?workspace_id=${workspaceId}`, csv);
  const cutoff = monthsBefore(now, BETWEEN_RUNS + 1);
  await forecast('first run', `forecasting the demo demand as of ${cutoff}`, { cutoff });
  if (!stopped()) await forecast('second run', 'forecasting the demo demand', {});
}
