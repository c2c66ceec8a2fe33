import { PLANS } from '../../config/plans.js';
import { issueApiKey } from '../../src/access/api-keys/issue/issue-api-key.js';
import { MEMBER_ROLES } from '../../src/platform/http/access-declaration.js';
import { addMember, createOrganization, createSession, createUser, createWorkspace } from '../support/builders.js';
import { Api } from '../support/api.js';
import type { TestService } from '../support/test-service.js';
import type { Key, Model, Organization } from './model.js';
import type { User } from './operation.js';
import { store } from './operations/demand.js';
import type { Stage } from './step.js';
import { World } from './world.js';

const PLAN = 'growth';
/** Runs that are left of the quota. */
const RUNS_LEFT = 3;

/** Two organizations with a user of each role, an outsider and an operator. @param name in the names of all of them */
export async function setStage(
  services: readonly [TestService, ...TestService[]],
  name: string,
): Promise<{ readonly model: Model; readonly stage: Stage }> {
  const [{ database }] = services;
  await database.execute('UPDATE platform_flags SET enabled = false');
  const markers = [`zebra-${name}`, `heron-${name}`];
  const users: User[] = [];
  const organizations: Organization[] = [];
  for (const marker of markers) {
    const others = markers.filter((other) => other !== marker);
    organizations.push(await createTenant(services[0], marker, users, others));
  }
  const outsider = await signedUp(services[0], 'an outsider', markers);
  const operator = await createUser(database, { isOperator: true });
  const headers = { authorization: `Bearer ${await createSession(database, operator.id)}` };
  return {
    model: {
      publicApi: true,
      organizations,
      topics: [],
      gone: { workspace: [], series: [], run: [], topic: [] },
      going: [],
    },
    stage: {
      world: new World(services),
      cast: {
        users: [...users, { ...outsider, home: null }],
        operator: { label: 'an operator', headers, blindTo: [] },
      },
    },
  };
}

async function signedUp(
  { database }: TestService,
  label: string,
  blindTo: readonly string[],
): Promise<Omit<User, 'home'>> {
  const user = await createUser(database, { name: label });
  const headers = { authorization: `Bearer ${await createSession(database, user.id)}` };
  return { ...user, caller: { label, headers, blindTo } };
}

/** An organization with a workspace, two series in it, a key of each scope and the end of its quota in sight. */
async function createTenant(
  service: TestService,
  marker: string,
  users: User[],
  others: readonly string[],
): Promise<Organization> {
  const { database } = service;
  const { id } = await createOrganization(database, { name: `${marker} Ltd`, plan: PLAN });
  const roles: Organization['roles'] = {};
  for (const role of MEMBER_ROLES) {
    const user = await signedUp(service, `${marker} ${role}`, others);
    await addMember(database, id, user.id, role);
    roles[user.id] = role;
    users.push({ ...user, home: id });
  }
  const { id: workspaceId, name } = await createWorkspace(database, id, { name: `${marker} site` });
  const keys = [
    await createKey(service, id, `${marker} key`, null),
    await createKey(service, id, `${marker} key`, workspaceId),
  ];
  const used = PLANS[PLAN].monthly_runs - RUNS_LEFT;
  await database.execute(
    `INSERT INTO usage_counters (organization_id, month, used) VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), $2)`,
    [id, used],
  );
  const workspace = { id: workspaceId, name, series: [], runs: [], alerts: [], schedule: null };
  const rows = ['A', 'B'].flatMap((series) =>
    ['2026-07', '2026-08', '2026-09', '2026-10'].map((ds, at) => ({
      unique_id: `${marker}-${series}`,
      ds,
      y: 10 * at,
    })),
  );
  const uploaded = await new Api(service.url, keys[0]!.plaintext).post('/actuals', { workspace_id: workspaceId, rows });
  if (uploaded.status !== 200) throw new Error(`the demand was refused: ${JSON.stringify(uploaded.body)}`);
  store(workspace, rows);
  const standing = { suspended: false, leaving: false, roles, invitations: [], keys, workspaces: [workspace] };
  return { id, marker, plan: PLAN, ...standing, usedBefore: used, used, unclear: 0, audited: ['demand.uploaded'] };
}

async function createKey(
  { database, secrets }: TestService,
  organizationId: string,
  name: string,
  workspaceId: string | null,
): Promise<Key> {
  const by = { pepper: secrets.apiKeyPepper, now: new Date() };
  const { key, plaintext } = await issueApiKey(database, organizationId, { workspaceId, name }, by);
  return { id: key.id, plaintext, workspaceId, name, allowlist: 'none', state: 'active', replies: {} };
}
