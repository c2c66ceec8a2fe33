import { SOC2 } from '../../config/soc2.js';
import { insertInvitation } from '../../src/access/invitations/invitations.queries.js';
import { type AuditAction, recordAudit } from '../../src/access/index.js';
import { newId } from '../../src/platform/ids.js';
import { Api, demandCsv } from '../support/api.js';
import {
  addMember,
  createApiKey,
  createOrganization,
  createSession,
  createUser,
  createWorkspace,
} from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { Feed } from '../odata/feed.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { stopIntervals } from '../support/stopped-intervals.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { LOCAL_PLATFORMS } from '../connectors/connected.js';
import { dayOf } from '../connectors/past-months.js';
import { WooCommerceServer } from '../connectors/woocommerce-server.js';
import { connectShop } from './shop.js';
import { SqlTap } from './sql-tap.js';

const WORKSPACE_IDS = [
  'workspace_id',
  'series_id',
  'import_id',
  'alert_id',
  'run_id',
  'current',
  'prior',
  'queued_run_id',
  'connector_id',
  'refused_connector_id',
] as const;
/** Names that routes give to ids of a workspace's rows. */
export const WORKSPACE_ID_NAMES: ReadonlySet<string> = new Set(WORKSPACE_IDS);
const ORGANIZATION_IDS = ['org_id', 'user_id', 'session_id', 'key_id', 'invitation_id'] as const;
/** Names that routes give to ids of a tenant's rows. */
export const ID_NAMES: ReadonlySet<string> = new Set([...WORKSPACE_IDS, ...ORGANIZATION_IDS]);

export type WorkspaceIds = Readonly<Record<(typeof WORKSPACE_IDS)[number], string>>;
export type Ids = WorkspaceIds & Readonly<Record<(typeof ORGANIZATION_IDS)[number], string>>;
export type IdName = keyof Ids;

/** An organization that has something of everything, in two workspaces. */
export interface Population {
  readonly ids: Ids;
  /** Rows of its other workspace. */
  readonly neighbour: WorkspaceIds;
  readonly organizationKey: string;
  /** Bound to the first workspace. */
  readonly workspaceKey: string;
  /** In every text that the organization has written, and in no other's. */
  readonly marker: string;
  /** In every text of the neighbour. */
  readonly neighbourMarker: string;
}

/** Two organizations over a service that answers and computes nothing, so that only what is asked happens. */
export interface TwoTenants {
  readonly service: TestService;
  readonly own: Population;
  readonly foreign: Population;
  /** The database, to start further processes on; closed with the rest. */
  readonly database: TestDatabase;
  /** Statements by which the two were made and computed. */
  readonly sentBefore: readonly string[];
  close(): Promise<void>;
}

export async function startTwoTenants(): Promise<TwoTenants> {
  const database = await createTestDatabase();
  const shop = await new WooCommerceServer().start();
  shop.sell(dayOf(2, 10), 'P0001', 5);
  const computing = await startTestService({ database, environment: LOCAL_PLATFORMS });
  const tap = new SqlTap(computing);
  const [own, foreign] = await Promise.all([populate(computing, shop, 'OWN'), populate(computing, shop, 'FOREIGN')]);
  await recordPlanChange(computing, foreign);
  // what the feed computes when it is first asked: in trials nothing that a request stores would stay
  for (const { organizationKey } of [own, foreign]) await new Feed(computing.url, organizationKey).rows('SafetyStocks');
  await computing.close();
  const service = await startTestService({ database, role: 'api', environment: LOCAL_PLATFORMS });
  await stopIntervals(service);
  for (const { ids, neighbour } of [own, foreign])
    for (const workspace of [ids, neighbour]) await queueRun(service, workspace);
  const close = (): Promise<void> => service.close().finally(() => Promise.all([database.drop(), shop.stop()]));
  return { service, own, foreign, database, sentBefore: [...tap.sent.keys()], close };
}

/** The organization came to its plan from a smaller one, by which its months before are told. */
async function recordPlanChange(service: TestService, { ids }: Population): Promise<void> {
  await service.database.transaction((tx) =>
    recordAudit(tx, {
      organizationId: ids.org_id,
      actor: { kind: 'system', id: null, name: 'test', address: null },
      action: 'plan.changed',
      target: { kind: 'organization', id: ids.org_id },
      details: { from: 'scale', to: 'enterprise' },
      occurredAt: new Date(),
    }),
  );
}

/** An action of an earlier release, which only the log of this member's organization knows. */
export const retiredAction = (userId: string): string => `retired.${userId}`;

/** Makes an organization by what its users would send. */
async function populate(service: TestService, shop: WooCommerceServer, marker: string): Promise<Population> {
  const db = service.database;
  const { id: organizationId } = await createOrganization(db, { name: `${marker} organization`, plan: 'enterprise' });
  const workspace = await createWorkspace(db, organizationId, { name: `${marker} workspace` });
  const neighbourMarker = `${marker}-NEIGHBOUR`;
  const second = await createWorkspace(db, organizationId, { name: `${neighbourMarker} workspace` });
  const organizationKey = await createApiKey(service, organizationId, { name: `${marker} key` });
  const api = new Api(service.url, organizationKey);
  const member = await createUser(db, { email: `${marker}@example.com`, name: `${marker} member` });
  await addMember(db, organizationId, member.id, 'viewer');
  await createSession(db, member.id);
  await addMember(db, organizationId, (await createUser(db, { name: `${marker} owner` })).id, 'owner');
  for (const action of ['flag.changed', retiredAction(member.id)]) {
    await db.transaction((tx) =>
      recordAudit(tx, {
        organizationId,
        actor: { kind: 'user', id: member.id, name: `${marker}@example.com`, address: null },
        action: action as AuditAction,
        target: { kind: 'thing', id: marker },
        occurredAt: new Date(),
      }),
    );
  }
  const invitationId = newId();
  const now = new Date();
  const invitation = { id: invitationId, email: `${marker}-guest@example.com`, role: 'viewer' as const };
  const dates = { invited_by: member.id, created_at: now, expires_at: new Date(now.getTime() + 86_400_000) };
  await insertInvitation(db, organizationId, { ...invitation, ...dates }, Buffer.from(invitationId));
  await db.execute(
    `INSERT INTO agreement_acceptances (organization_id, agreement, version, accepted_at, user_id, email)
     VALUES ($1, 'data_processing_agreement', $2, now(), $3, $4)`,
    [organizationId, SOC2.agreements.data_processing_agreement.version, member.id, `${marker}@example.com`],
  );
  const one = async (sql: string): Promise<string> => (await db.query<{ id: string }>(sql, [organizationId]))[0]!.id;
  const keyId = await one(`SELECT id FROM api_keys WHERE organization_id = $1`);
  await createApiKey(service, organizationId, { name: `${marker} locked key` });
  await db.execute(`UPDATE api_keys SET locked_at = now() WHERE organization_id = $1 AND id <> $2`, [
    organizationId,
    keyId,
  ]);
  return {
    ids: {
      ...(await populateWorkspace(service, shop, { api, organizationId, workspaceId: workspace.id, marker })),
      org_id: organizationId,
      user_id: member.id,
      session_id: await one(
        `SELECT s.id FROM sessions s JOIN memberships m ON m.user_id = s.user_id WHERE m.organization_id = $1`,
      ),
      key_id: keyId,
      invitation_id: invitationId,
    },
    neighbour: await populateWorkspace(service, shop, {
      api,
      organizationId,
      workspaceId: second.id,
      marker: neighbourMarker,
    }),
    organizationKey,
    workspaceKey: await createApiKey(service, organizationId, {
      workspaceId: workspace.id,
      name: `${marker} bound key`,
    }),
    marker,
    neighbourMarker,
  };
}

function queueRun(service: TestService, { queued_run_id, current }: WorkspaceIds): Promise<unknown> {
  return service.database.execute(
    `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at)
     SELECT $1, organization_id, workspace_id, 'queued', 'api', config, 'quota', now() FROM runs WHERE id = $2`,
    [queued_run_id, current],
  );
}

interface NewWorkspace {
  /** Called with a key of the organization. */
  readonly api: Api;
  readonly organizationId: string;
  readonly workspaceId: string;
  /** In all names and texts that are the workspace's own. */
  readonly marker: string;
}

async function populateWorkspace(
  service: TestService,
  shop: WooCommerceServer,
  { api, organizationId, workspaceId, marker }: NewWorkspace,
): Promise<WorkspaceIds> {
  // series are called alike everywhere: a look-up by name must not find the next tenant's
  const now = new Date();
  const untilLastMonth = demandCsv(2, 24 + now.getUTCMonth(), now.getUTCFullYear() - 2);
  const [header, ...lines] = untilLastMonth.trim().split('\n');
  const csv = [`${header},product_name,category`, ...lines.map((line) => `${line},${marker} product,${marker}`)];
  const uploaded = await api.upload(workspaceId, csv.join('\n'));
  if (uploaded.status !== 200) throw new Error(`the demand was refused: ${JSON.stringify(uploaded.body)}`);
  // a day of the month in progress, which sensing looks at; stored first and processed after
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), Math.max(1, now.getUTCDate() - 1)));
  const daily = `unique_id,ds,y\nP0000,${day.toISOString().slice(0, 10)},5\n`;
  const path = `/actuals?workspace_id=${workspaceId}`;
  const deferred = await api.send('POST', path, daily, { 'content-type': 'text/csv', prefer: 'respond-async' });
  await eventually('the import is done', async () => {
    const { body } = await api.get(`/imports/${String(deferred.body['id'])}`);
    return body['state'] === 'completed' || undefined;
  });
  const selected = { unique_ids: ['P0000', 'P0001'] };
  const config = { horizon: 3, models: ['seasonal_naive'], backtest_windows: 1, series: selected };
  const run = (): Promise<{ id: string }> => api.run({ workspace_id: workspaceId, config_overrides: config });
  const [prior, current] = [(await run()).id, (await run()).id];
  const [series] = await service.database.query<{ id: string }>(
    `SELECT id FROM series WHERE workspace_id = $1 AND unique_id = 'P0000'`,
    [workspaceId],
  );
  const seriesId = series!.id;
  const alertId = newId();
  const tenant = [organizationId, workspaceId, seriesId];
  await service.database.execute(
    `INSERT INTO alerts (organization_id, workspace_id, series_id, id, kind, severity, message, change_percent, period, run_id, created_at)
     VALUES ($1, $2, $3, $4, 'spike', 'high', $5, 50, '2022-06-01', $6, now())`,
    [...tenant, alertId, `${marker} sells more`, current],
  );
  await service.database.execute(
    `INSERT INTO trend_changes (organization_id, workspace_id, series_id, id, previous_label, label, run_id, changed_at)
     VALUES ($1, $2, $3, $4, 'stable', 'growth', $5, now())`,
    [...tenant, newId(), current],
  );
  await service.database.execute(
    `INSERT INTO overrides (organization_id, workspace_id, series_id, id, month, kind, value, reason, author, created_at)
     VALUES ($1, $2, $3, $4, date_trunc('month', now()), 'absolute', 7, $5, $5, now() - interval '1 day')`,
    [...tenant, newId(), marker],
  );
  await service.database.execute(
    `INSERT INTO run_schedules (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, updated_at, updated_by)
     VALUES ($1, $2, 1, 6, 'UTC', '{}', now() + interval '20 days', now(), $3)`,
    [organizationId, workspaceId, marker],
  );
  const connectors = await connectShop(service, shop, { organizationId, workspaceId }, marker);
  return {
    workspace_id: workspaceId,
    series_id: seriesId,
    import_id: String(uploaded.body['import_id']),
    alert_id: alertId,
    run_id: current,
    current,
    prior,
    queued_run_id: newId(), // queued when nobody is left to compute it
    ...connectors,
  };
}
