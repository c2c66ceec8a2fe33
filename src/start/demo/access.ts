import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { issueApiKey } from '../../access/api-keys/issue/issue-api-key.js';
import {
  DEMO_NAME,
  findOrganization,
  insertOrganization,
  installationIsUnused,
  markDemoOrganization,
} from '../../access/organizations/organizations.queries.js';
import { insertWorkspace } from '../../access/organizations/workspaces/workspaces.queries.js';
import type { Secrets } from '../../platform/crypto/secrets.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { asSystem } from '../../platform/database/scope.js';
import { serialize } from '../../platform/database/serialize.js';
import { newId } from '../../platform/ids.js';
import { writeWhole } from '../../platform/whole-files.js';

/** How to access the demo; kept in DATA_DIR/secrets so that every start that offers the demo can print it. The demo's data is public. */
export interface DemoAccess {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly apiKey: string;
}

export function readDemoAccess(dataDirectory: string): DemoAccess | undefined {
  const path = demoFile(dataDirectory);
  return existsSync(path) ? readAccess(path) : undefined;
}

/** Marks the organization as the demo: one created by an earlier release is not marked yet. */
export async function noteDemo(database: Database, { organizationId }: DemoAccess): Promise<void> {
  await asSystem('demo', () => markDemoOrganization(database, organizationId));
}

/**
 * Creates the demo organization with a workspace and a key bound to it, if no organization and no user exists yet, and saves its
 * access in two steps. Before the commit it is written to a pending file: after a crash between the two, the key could not be
 * recovered from anywhere else. After the commit the file is renamed to its final name, but only if the database contains the
 * organization: the access of one that was rolled back is discarded.
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

/** Renames the pending file to its final name if its organization was committed, by this or an earlier process; otherwise deletes it. */
async function settleAccess(tx: Transaction, dataDirectory: string): Promise<void> {
  await lockDemo(tx); // by now, another process that was creating one has committed or rolled back
  const pending = pendingFile(dataDirectory);
  if (!existsSync(pending)) return;
  if (await findOrganization(tx, readAccess(pending).organizationId)) renameSync(pending, demoFile(dataDirectory));
  else rmSync(pending);
}

/** Keeps two processes from both creating the demo organization. */
const lockDemo = (tx: Transaction): Promise<void> => serialize(tx, 'demo');

const readAccess = (path: string): DemoAccess => JSON.parse(readFileSync(path, 'utf8')) as DemoAccess;
const demoFile = (dataDirectory: string): string => join(dataDirectory, 'secrets', 'demo.json');
const pendingFile = (dataDirectory: string): string => `${demoFile(dataDirectory)}.pending`;
