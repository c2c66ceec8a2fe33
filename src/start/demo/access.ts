import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { issueApiKey } from '../../access/api-keys/issue-api-key.js';
import {
  DEMO_NAME,
  findOrganization,
  insertOrganization,
  installationIsUnused,
  markDemoOrganization,
} from '../../access/organizations/organizations.queries.js';
import { insertWorkspace } from '../../access/organizations/workspaces.queries.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { newId } from '../../platform/ids.js';
import { writeWhole } from '../../platform/whole-files.js';

/** How the demo is reached; kept in DATA_DIR/secrets so that every start that offers the demo can print it. The demo's data are public. */
export interface DemoAccess {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly apiKey: string;
}

/** Key of the lock by which two processes that would make the demo organization exclude each other ('DEMO'). */
const DEMO_LOCK = 0x44454d4f;

export function readDemoAccess(dataDirectory: string): DemoAccess | undefined {
  const path = demoFile(dataDirectory);
  return existsSync(path) ? readAccess(path) : undefined;
}

/** Notes which organization is the demo: one that an earlier release made is not known as such. */
export async function noteDemo(database: Database, { organizationId }: DemoAccess): Promise<void> {
  await asSystem('demo', () => markDemoOrganization(database, organizationId));
}

/**
 * Makes the demo organization with a workspace and a key bound to it, where nobody has made an organization or a user yet,
 * and keeps its access in two steps. Before the commit the access is written to a pending file: after a crash between the two
 * the key could not be read from anywhere else. After the commit the file takes its final name, but only if the database
 * has the organization: the access of one that was rolled back is dropped.
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
    await lockDemo(tx);
    if (!(await installationIsUnused(tx))) return;
    await insertOrganization(tx, { id: organizationId, name: DEMO_NAME, plan: 'growth', createdAt: now });
    await insertWorkspace(tx, organizationId, { id: workspaceId, name: DEMO_NAME, timeZone: 'UTC', createdAt: now });
    const by = { pepper: secrets.apiKeyPepper, now };
    const { plaintext } = await issueApiKey(tx, organizationId, { workspaceId, name: DEMO_NAME }, by);
    const access: DemoAccess = { organizationId, workspaceId, apiKey: plaintext };
    writeWhole(pendingFile(dataDirectory), JSON.stringify(access), 0o600);
  };
  await asSystem('demo', async () => {
    await database.transaction(make);
    await database.transaction((tx) => settleAccess(tx, dataDirectory));
  });
}

/** Gives the pending file its final name if its organization was committed, by this process or one before; else removes it. */
async function settleAccess(tx: Transaction, dataDirectory: string): Promise<void> {
  await lockDemo(tx); // another process that was making one has committed or rolled back by now
  const pending = pendingFile(dataDirectory);
  if (!existsSync(pending)) return;
  if (await findOrganization(tx, readAccess(pending).organizationId)) renameSync(pending, demoFile(dataDirectory));
  else rmSync(pending);
}

async function lockDemo(tx: Transaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [DEMO_LOCK]);
}

const readAccess = (path: string): DemoAccess => JSON.parse(readFileSync(path, 'utf8')) as DemoAccess;
const demoFile = (dataDirectory: string): string => join(dataDirectory, 'secrets', 'demo.json');
const pendingFile = (dataDirectory: string): string => `${demoFile(dataDirectory)}.pending`;
