import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueApiKey } from '../access/api-keys/issue-api-key.js';
import {
  findOrganization,
  insertOrganization,
  installationIsUnused,
} from '../access/organizations/organizations.queries.js';
import { insertWorkspace } from '../access/organizations/workspaces.queries.js';
import type { Secrets } from '../platform/crypto/secrets.js';
import type { Database, Transaction } from '../platform/database/database.js';
import { asSystem } from '../platform/database/scope.js';
import { newId } from '../platform/ids.js';
import { writeWhole } from '../platform/whole-files.js';
import { demoDemand, monthsBefore } from './demo-demand.js';
import { createProgress } from './progress.js';

/** What the demo is reached by; kept in DATA_DIR/secrets so that every start can print it. The demo's data are public. */
export interface DemoAccess {
  readonly workspaceId: string;
  readonly apiKey: string;
}

const POLL_MS = 250;
/** How often a call is repeated while the database is away: twenty seconds. */
const PATIENT = 40;

interface Post {
  readonly type: string;
  readonly body: string;
  readonly step: string;
}

export function readDemoAccess(dataDirectory: string): DemoAccess | undefined {
  const path = demoFile(dataDirectory);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoAccess) : undefined;
}

/** The demo cannot be loaded; the message is one line for the operator. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/** As it is kept. */
interface KeptAccess extends DemoAccess {
  readonly organizationId: string;
}

/** Any two processes that would make the demo organization exclude each other by this key ('DEMO'). */
const DEMO_LOCK = 0x44454d4f;

/**
 * Makes the demo organization with a workspace and a key bound to it, where nobody has made an organization or a user yet,
 * and keeps its access in two steps. Before the commit the access is written to a pending file: after a crash between the two
 * the key could not be read from anywhere else. After the commit the file takes its final name, but only if the database
 * has the organization: what was rolled back is dropped.
 */
export async function ensureDemoOrganization(
  database: Database,
  secrets: Secrets,
  dataDirectory: string,
  now: Date,
): Promise<void> {
  const organizationId = newId();
  const workspaceId = newId();
  const make = async (tx: Transaction): Promise<void> => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [DEMO_LOCK]);
    if (!(await installationIsUnused(tx))) return;
    await insertOrganization(tx, { id: organizationId, name: 'Demo', plan: 'growth', createdAt: now });
    await insertWorkspace(tx, organizationId, { id: workspaceId, name: 'Demo', timeZone: 'UTC', createdAt: now });
    const request = { workspaceId, name: 'Demo', now };
    const { plaintext } = await issueApiKey(tx, organizationId, secrets.apiKeyPepper, request);
    const access: KeptAccess = { organizationId, workspaceId, apiKey: plaintext };
    writeWhole(pendingFile(dataDirectory), JSON.stringify(access), 0o600);
  };
  await asSystem('demo', async () => {
    await database.transaction(make);
    await database.transaction((tx) => settleAccess(tx, dataDirectory));
  });
}

/** Puts the access of what was committed in its place, by this process or by one that ended before it could; drops any other. */
async function settleAccess(tx: Transaction, dataDirectory: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [DEMO_LOCK]); // whoever makes one has committed or not
  const pending = pendingFile(dataDirectory);
  if (!existsSync(pending)) return;
  const { organizationId } = JSON.parse(readFileSync(pending, 'utf8')) as KeptAccess;
  if (await findOrganization(tx, organizationId)) renameSync(pending, demoFile(dataDirectory));
  else rmSync(pending);
}

const demoFile = (dataDirectory: string): string => join(dataDirectory, 'secrets', 'demo.json');
const pendingFile = (dataDirectory: string): string => `${demoFile(dataDirectory)}.pending`;

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
  const send = (method: string, path: string, post?: Post): Promise<Response> =>
    fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        // two processes that start at once load the demo once
        ...(post && { 'content-type': post.type, 'idempotency-key': `demo ${post.step}` }),
      },
      ...(post && { body: post.body }),
    });
  const call = async (method: string, path: string, post?: Post): Promise<Record<string, unknown>> => {
    let reply = await send(method, path, post);
    for (let attempt = 0; reply.status === 503 && attempt < PATIENT && !stopped(); attempt += 1) {
      await sleep(2 * POLL_MS); // the database is away; it comes back, or its disk is full
      reply = await send(method, path, post);
    }
    if (!reply.ok) {
      const { detail } = (await reply.json()) as { detail: string };
      throw new DemoError(
        `the demo could not be loaded: ${method} ${path} answered ${reply.status} (${detail}) The log and the disk tell more; start again to go on, or with DEMO=off to do without`,
      );
    }
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
