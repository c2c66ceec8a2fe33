import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { PROJECT_ROOT } from '../../config/paths.js';
import { issueApiKey } from '../access/api-keys/issue-api-key.js';
import { insertOrganization } from '../access/organizations/organizations.queries.js';
import { insertWorkspace } from '../access/organizations/workspaces.queries.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import type { Database, Transaction } from '../platform/database/database.js';
import { asTenant } from '../platform/database/scope.js';
import { newId } from '../platform/ids.js';
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

/** Whether a start was cut off before it had loaded the demo: its workspace is there and has no run. */
export async function demoIsUnfinished(baseUrl: string, { apiKey }: DemoAccess): Promise<boolean> {
  const reply = await fetch(`${baseUrl}/api/v1/runs?limit=1`, { headers: { 'x-api-key': apiKey } });
  return reply.ok && ((await reply.json()) as unknown[]).length === 0;
}

/** Uploads the demo demand and forecasts it, through the public API like any client, showing the progress. */
export async function loadDemo(
  baseUrl: string,
  { workspaceId, apiKey }: DemoAccess,
  now: Date,
  stopped: () => boolean,
): Promise<void> {
  const call = async (method: string, path: string, type: string, body?: string): Promise<Record<string, unknown>> => {
    const reply = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        // two processes that start at once load the demo once
        ...(body === undefined ? {} : { 'content-type': type, 'idempotency-key': `demo ${path}` }),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (!reply.ok)
      throw new Error(`the demo could not be loaded: ${method} ${path} answered ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  await call('POST', `/actuals?workspace_id=${workspaceId}`, 'text/csv', await demoDemand(now));
  const run = await call('POST', '/runs', 'application/json', JSON.stringify({ workspace_id: workspaceId }));
  const progress = createProgress('forecasting the demo demand');
  for (;;) {
    const state = await call('GET', `/runs/${String(run['id'])}`, '');
    const { series_done: done, series_total: total } = state['progress'] as {
      series_done: number;
      series_total: number;
    };
    if (total > 0) progress.update(done, total);
    if (state['status'] !== 'queued' && state['status'] !== 'running') break;
    if (stopped()) break;
    await sleep(POLL_MS);
  }
  progress.finish();
}

/** The demo CSV with each category's dates moved forward by whole years, so that it ends within the past twelve months. */
async function demoDemand(now: Date): Promise<string> {
  const rows: { line: string[]; year: number }[] = [];
  const last = new Map<string, number>();
  let header = '';
  const lines = createInterface({
    input: createReadStream(join(PROJECT_ROOT, 'demo', 'demand.csv.gz')).pipe(createGunzip()),
  });
  for await (const text of lines) {
    if (header === '') {
      header = text;
      continue;
    }
    const line = text.split(',');
    const [, ds = '', , , category = ''] = line;
    const month = 12 * Number(ds.slice(0, 4)) + Number(ds.slice(5, 7)) - 1;
    last.set(category, Math.max(last.get(category) ?? 0, month));
    rows.push({ line, year: Number(ds.slice(0, 4)) });
  }
  const lastComplete = 12 * now.getUTCFullYear() + now.getUTCMonth() - 1;
  const shifted = rows.map(({ line, year }) => {
    const shift = Math.floor((lastComplete - (last.get(line[4] ?? '') ?? lastComplete)) / 12);
    line[1] = `${year + shift}${(line[1] ?? '').slice(4)}`;
    return line.join(',');
  });
  return [header, ...shifted].join('\n');
}
