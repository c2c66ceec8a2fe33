import { SOC2 } from '../../config/soc2.js';
import { newId } from '../../src/platform/ids.js';
import { createApiKey, createMember, createWorkspace } from '../support/builders.js';
import type { TestService } from '../support/test-service.js';
import { retiredAction } from './populate.js';
import type { IdName, Ids, Population } from './population.js';
import { sealedKeys } from './shop.js';

/** What a route is sent beside its path, and what it answers those whom its access declaration admits. */
export interface RouteCase {
  /** The status for ids of the caller's own. */
  readonly own: number;
  /** The status for ids of others and of nobody, by what is named; 404 where it is not told. */
  readonly foreign?: Partial<Record<IdName, number>>;
  /** Which of the tenants' ids a parameter takes, where not the one of its name. */
  readonly of?: Partial<Record<IdName, IdName>>;
  /** Parameters of the path that are no ids. */
  readonly path?: Readonly<Record<string, (ids: Ids) => string>>;
  /** Ids that are named outside the path, or within its other parameters. */
  readonly names?: readonly IdName[];
  readonly headers?: () => Record<string, string>;
  readonly query?: (ids: Ids) => Record<string, string>;
  readonly body?: (ids: Ids) => unknown;
  /** Each answer is another, for the same tenant too: a file with its time in it, which the audit log counts. */
  readonly anew?: true;
  /** Makes rows that the call may use up, in place of those that every call shares. */
  readonly fresh?: (stage: FreshStage) => Promise<Partial<Record<IdName, string>>>;
  /** Takes back what the call did to the organization ($1). */
  readonly undo?: string;
}

export interface FreshStage {
  readonly service: TestService;
  readonly population: Population;
  /** The caller, where he has signed in. */
  readonly userId: string | undefined;
}

const member = async ({ service, population }: FreshStage) => ({
  user_id: (await createMember(service.database, population.ids.org_id, 'viewer')).id,
});
const blockedMember = async (stage: FreshStage) => {
  const { user_id } = await member(stage);
  await stage.service.database.execute(
    `INSERT INTO community_blocks (user_id, reason, created_at) VALUES ($1, 'fresh', now())`,
    [user_id],
  );
  return { user_id };
};
const key = async ({ service, population }: FreshStage) => {
  const name = newId();
  await createApiKey(service, population.ids.org_id, { name });
  const [row] = await service.database.query<{ id: string }>('SELECT id FROM api_keys WHERE name = $1', [name]);
  return { key_id: row!.id };
};
const insert = async ({ service, population }: FreshStage, sql: string) => {
  const id = newId();
  const { ids } = population;
  await service.database.execute(sql, [id, ids.org_id, ids.workspace_id, ids.series_id].slice(0, placeholders(sql)));
  return id;
};
const placeholders = (sql: string): number =>
  Math.max(...[...sql.matchAll(/\$(\d)/g)].map((match) => Number(match[1])));
const invitation = async (stage: FreshStage) => ({
  invitation_id: await insert(
    stage,
    `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, created_at, expires_at)
     VALUES ($1, $2, $1::uuid || '@example.com', 'viewer', uuid_send($1::uuid), $1::uuid, now(), now() + interval '1 day')`,
  ),
});
const queuedRun = async (stage: FreshStage) => ({
  queued_run_id: await insert(
    stage,
    `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at)
     SELECT $1, $2, $3, 'queued', 'api', config, 'quota', now() FROM runs WHERE workspace_id = $3 LIMIT 1`,
  ),
});
const override = async (stage: FreshStage) => {
  await insert(
    stage,
    `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at)
     VALUES ($1, $2, $3, $4, '2027-03-01', 'delta', 1, 'fresh', 'fresh', now())`,
  );
  return {};
};
const ownSession = async ({ service, userId }: FreshStage) => {
  if (userId === undefined) return {};
  const id = newId();
  await service.database.execute(
    `INSERT INTO sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, uuid_send($1::uuid), now(), now(), now() + interval '1 day')`,
    [id, userId],
  );
  return { session_id: id };
};

const series = async (stage: FreshStage) => ({
  series_id: await insert(
    stage,
    `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
     VALUES ($1, $2, $3, 'fresh ' || $1::uuid, now(), now())`,
  ),
});

const connector = async ({ service, population: { ids } }: FreshStage) => {
  const id = newId();
  await service.database.execute(
    `INSERT INTO connectors (id, organization_id, workspace_id, platform, name, account, settings, sealed, time_zone, counts_from, interval_minutes, created_at, updated_at)
     VALUES ($1, $2, $3, 'woocommerce', 'fresh', $1::uuid::text, '{}', $4, 'UTC', '2026-01-01', 60, now(), now())`,
    [id, ids.org_id, ids.workspace_id, sealedKeys(service, id, {})],
  );
  return { connector_id: id };
};

/** An account whose connector only the neighbour has removed. */
const RETIRED_ELSEWHERE = 'retired-elsewhere.myshopify.com';
const retiredElsewhere = async ({ service, population: { ids, neighbour } }: FreshStage) => {
  await service.database.execute(
    `INSERT INTO connector_retired_demand (organization_id, workspace_id, platform, account, unique_id, day, quantity)
     VALUES ($1, $2, 'shopify', $3, 'P0000', now(), 1) ON CONFLICT DO NOTHING`,
    [ids.org_id, neighbour.workspace_id, RETIRED_ELSEWHERE],
  );
  return {};
};

const OVERRIDE = (ids: Ids) => ({
  series_id: ids.series_id,
  month: '2027-01-01',
  kind: 'delta',
  value: 5,
  reason: 'x',
});
const ROWS = [{ unique_id: 'P0000', ds: '2022-06-01', y: 100 }];
const RUN = (ids: Ids) => ({ workspace_id: ids.workspace_id, config_overrides: { horizon: 2 } });
const idempotent = () => ({ 'idempotency-key': newId() });
const workspaceQuery = (ids: Ids) => ({ workspace_id: ids.workspace_id });
const seriesQuery = (ids: Ids) => ({ series_id: ids.series_id });

const set = (name: string, query: Record<string, string> = {}): RouteCase => ({
  own: 200,
  path: { resource: () => name },
  query: () => query,
});
const entity = (
  names: readonly IdName[],
  segment: (ids: Ids) => string,
  query?: Record<string, string>,
): RouteCase => ({ own: 200, names, path: { resource: segment }, ...(query && { query: () => query }) });
/** Rows of another tenant must not be reached by way of a navigation either. */
const EXPANDED = { $expand: '*', $filter: "series/unique_id eq 'P0000'", $orderby: 'workspace/name', $count: 'true' };
/** The first month that the runs of the population forecast is the one in progress. */
const THIS_MONTH = `${new Date().toISOString().slice(0, 7)}-01`;
const DEMAND_MONTH = `${new Date().getUTCFullYear() - 1}-06-01`;
const FORECAST = ({ run_id, series_id }: Ids) => `Forecasts(run_id=${run_id},series_id=${series_id},ds=${THIS_MONTH})`;

/** Every route that serves a tenant or names a row of one, declared once; some are called in several ways. */
export const ROUTE_CASES: Readonly<Record<string, RouteCase | readonly RouteCase[]>> = {
  'DELETE /auth/sessions/:session_id': { own: 204, fresh: ownSession },

  'GET /orgs/:org_id': { own: 200 },
  'PATCH /orgs/:org_id': { own: 200, body: () => ({ retention_months: null }) },
  'DELETE /orgs/:org_id': { own: 202, undo: 'UPDATE organizations SET delete_after = NULL WHERE id = $1' },
  'POST /orgs/:org_id/restore': { own: 200 },
  'GET /orgs/:org_id/members': { own: 200 },
  'PATCH /orgs/:org_id/members/:user_id': { own: 200, body: () => ({ role: 'member' }), fresh: member },
  'DELETE /orgs/:org_id/members/me': {
    own: 204,
    fresh: async ({ service, population }) => {
      await createMember(service.database, population.ids.org_id, 'owner'); // the last one could not leave
      return {};
    },
    undo: `INSERT INTO memberships (organization_id, user_id, role, created_at)
      SELECT organization_id, target_id::uuid, details->>'role', occurred_at FROM audit_events
      WHERE organization_id = $1 AND action = 'member.removed' ORDER BY sequence DESC LIMIT 1 ON CONFLICT DO NOTHING`,
  },
  'DELETE /orgs/:org_id/members/:user_id': { own: 204, fresh: member },
  'POST /orgs/:org_id/members/:user_id/review': { own: 200 },
  'GET /orgs/:org_id/workspaces': { own: 200 },
  'POST /orgs/:org_id/workspaces': { own: 201, body: () => ({ name: 'another' }) },
  'PATCH /orgs/:org_id/workspaces/:workspace_id': { own: 200, body: () => ({ time_zone: 'UTC' }) },
  'DELETE /orgs/:org_id/workspaces/:workspace_id': {
    own: 204,
    fresh: async ({ service, population }) => ({
      workspace_id: (await createWorkspace(service.database, population.ids.org_id)).id,
    }),
  },
  'GET /orgs/:org_id/invitations': { own: 200 },
  'POST /orgs/:org_id/invitations': {
    own: 201,
    body: () => ({ email: `${newId()}@example.com`, role: 'viewer' }),
  },
  'DELETE /orgs/:org_id/invitations/:invitation_id': { own: 204, fresh: invitation },
  'GET /orgs/:org_id/api-keys': { own: 200 },
  'POST /orgs/:org_id/api-keys': {
    own: 201,
    names: ['workspace_id'],
    body: (ids) => ({ name: 'another', workspace_id: ids.workspace_id }),
  },
  'POST /orgs/:org_id/api-keys/check-address': {
    own: 200,
    body: () => ({ ip_allowlist: ['192.0.2.0/24'], address: '192.0.2.7' }),
  },
  'GET /orgs/:org_id/api-keys/:key_id': { own: 200 },
  'PATCH /orgs/:org_id/api-keys/:key_id': { own: 200, body: () => ({ name: 'renamed' }), fresh: key },
  'DELETE /orgs/:org_id/api-keys/:key_id': { own: 204, fresh: key },
  'POST /orgs/:org_id/api-keys/:key_id/rotate': { own: 201, body: () => ({ grace_period: '0' }), fresh: key },
  'GET /orgs/:org_id/usage': { own: 200, query: () => ({ month: '2026-01' }) },
  'GET /orgs/:org_id/audit-log': [
    { own: 200, names: ['user_id'], query: (ids) => ({ actor_id: ids.user_id }), foreign: { user_id: 200 } },
    {
      own: 200,
      names: ['user_id'],
      query: (ids) => ({ action: retiredAction(ids.user_id) }),
      foreign: { user_id: 400 },
    },
  ],
  'GET /orgs/:org_id/audit-log/verification': { own: 200 },
  'GET /orgs/:org_id/soc2-readiness': { own: 200 },
  'GET /orgs/:org_id/soc2-readiness-report': { own: 200, anew: true },
  'GET /orgs/:org_id/agreements': { own: 200 },
  'POST /orgs/:org_id/agreements': {
    own: 200,
    body: () => ({ agreement: 'privacy_notice', version: SOC2.agreements.privacy_notice.version }),
    undo: 'DELETE FROM agreement_acceptances WHERE organization_id = $1',
  },
  'GET /admin/orgs/:org_id': { own: 200 },
  'PATCH /admin/orgs/:org_id': { own: 200, body: () => ({ plan: 'enterprise' }) },
  'PUT /admin/community/blocks/:user_id': { own: 200, body: () => ({ reason: 'advertising' }), fresh: member },
  'DELETE /admin/community/blocks/:user_id': { own: 204, fresh: blockedMember },

  'POST /workspaces/:workspace_id/imports': [
    { own: 200, body: () => ({ rows: ROWS }) },
    { own: 200, body: () => ({ rows: [{ unique_id: 'P0000', lead_time_months: 2 }] }) },
  ],
  'GET /workspaces/:workspace_id/imports': { own: 200 },
  'GET /workspaces/:workspace_id/imports/:import_id': { own: 200 },
  'GET /workspaces/:workspace_id/series': { own: 200, query: () => ({ trend_changed_since: '2020-01-01' }) },
  'GET /workspaces/:workspace_id/series/:series_id': { own: 200 },
  'GET /workspaces/:workspace_id/series/:series_id/actuals': { own: 200, query: () => ({ from: '2020-01' }) },
  'PATCH /workspaces/:workspace_id/series/:series_id': {
    own: 200,
    body: () => ({ unit: 'piece', lead_time_months: 2, replaced_by: 'P0001' }),
  },
  'DELETE /workspaces/:workspace_id/series/:series_id': { own: 204, fresh: series },
  'DELETE /workspaces/:workspace_id/series/:series_id/actuals': {
    own: 204,
    query: () => ({ from: '2000-01', to: '2099-12' }),
    fresh: series,
  },
  'GET /workspaces/:workspace_id/overrides': { own: 200, names: ['series_id'], query: seriesQuery },
  'PUT /workspaces/:workspace_id/overrides': { own: 200, names: ['series_id'], body: OVERRIDE },
  'DELETE /workspaces/:workspace_id/overrides': {
    own: 204,
    names: ['series_id'],
    query: (ids) => ({ series_id: ids.series_id, month: '2027-03' }),
    fresh: override,
  },
  'GET /workspaces/:workspace_id/usage': { own: 200 },
  'GET /workspaces/:workspace_id/schedule': { own: 200 },
  'PUT /workspaces/:workspace_id/schedule': { own: 200, body: () => ({ day: 1, hour: 6 }) },
  'DELETE /workspaces/:workspace_id/schedule': {
    own: 204,
    undo: `INSERT INTO run_schedules (organization_id, workspace_id, day, hour, time_zone, config_overrides, next_run_at, updated_at, updated_by)
           SELECT $1, id, 1, 6, 'UTC', '{}', now() + interval '20 days', now(), 'test' FROM workspaces
           WHERE organization_id = $1 AND id NOT IN (SELECT workspace_id FROM run_schedules)`,
  },

  'GET /workspaces/:workspace_id/connectors': { own: 200 },
  'POST /workspaces/:workspace_id/connectors': [
    {
      own: 201,
      body: () => ({
        platform: 'shopify',
        name: 'another',
        settings: { shop: `${newId()}.myshopify.com`, access_token: 'shpat_1' },
      }),
    },
    {
      own: 201,
      body: () => ({
        platform: 'shopify',
        name: 'again',
        settings: { shop: RETIRED_ELSEWHERE, access_token: 'shpat_1' },
      }),
      fresh: retiredElsewhere,
      undo: `DELETE FROM connectors WHERE organization_id = $1 AND account = '${RETIRED_ELSEWHERE}'`,
    },
  ],
  'GET /workspaces/:workspace_id/connectors/:connector_id': { own: 200 },
  'PATCH /workspaces/:workspace_id/connectors/:connector_id': [
    { own: 200, body: () => ({ sync_interval_minutes: 30 }) },
    { own: 200, body: () => ({ enabled: false }), fresh: connector },
  ],
  'DELETE /workspaces/:workspace_id/connectors/:connector_id': { own: 204, fresh: connector },
  'POST /workspaces/:workspace_id/connectors/:connector_id/test': [
    { own: 200 },
    { own: 200, of: { connector_id: 'refused_connector_id' } },
  ],
  'POST /workspaces/:workspace_id/connectors/:connector_id/sync': [
    { own: 202 },
    { own: 202, body: () => ({ full: true }), fresh: connector, anew: true },
  ],
  'GET /workspaces/:workspace_id/connectors/:connector_id/syncs': { own: 200 },
  // without a PUBLIC_URL nobody is told anything; whom it refuses with one: test/connectors/webhooks.e2e-spec.ts
  'POST /webhooks/connectors/:platform/:connector_id': { own: 503, foreign: { connector_id: 503 } },
  'GET /workspaces/:workspace_id/alerts': { own: 200 },
  'PATCH /workspaces/:workspace_id/alerts/:alert_id': { own: 200, body: () => ({ read: false }) },
  'POST /workspaces/:workspace_id/runs': { own: 202, body: () => ({ config_overrides: { horizon: 2 } }) },
  'GET /workspaces/:workspace_id/runs': { own: 200 },
  'GET /workspaces/:workspace_id/runs/:run_id': { own: 200 },
  'POST /workspaces/:workspace_id/runs/:run_id/cancel': {
    own: 200,
    of: { run_id: 'queued_run_id' },
    fresh: queuedRun,
  },
  'GET /workspaces/:workspace_id/runs/:run_id/forecasts': {
    own: 200,
    names: ['series_id'],
    query: (ids) => ({ series_id: ids.series_id, apply_overrides: 'true' }),
  },
  'GET /workspaces/:workspace_id/runs/:run_id/safety-stock': { own: 200 },
  'GET /workspaces/:workspace_id/runs/:run_id/safety-stock/:series_id': { own: 200 },
  'GET /workspaces/:workspace_id/series/:series_id/forecast': {
    own: 200,
    names: ['run_id'],
    query: (ids) => ({ run_id: ids.run_id }),
  },
  'GET /workspaces/:workspace_id/runs/:current/compare/:prior/forecast-explain': {
    own: 200,
    names: ['series_id'],
    query: seriesQuery,
  },
  'GET /workspaces/:workspace_id/runs/:run_id/series-metrics': { own: 200, names: ['series_id'], query: seriesQuery },
  'GET /workspaces/:workspace_id/runs/:run_id/accuracy': {
    own: 200,
    of: { run_id: 'prior' },
    names: ['series_id'],
    query: seriesQuery,
  },
  'GET /workspaces/:workspace_id/runs/:run_id/totals': { own: 200, query: () => ({ apply_overrides: 'true' }) },
  'GET /workspaces/:workspace_id/runs/:run_id/demand-sensing': { own: 200, names: ['series_id'], query: seriesQuery },

  'GET /api/v1/usage': { own: 200 },
  'POST /api/v1/actuals': {
    own: 200,
    names: ['workspace_id'],
    headers: idempotent,
    body: (ids) => ({ workspace_id: ids.workspace_id, rows: ROWS }),
  },
  'GET /api/v1/imports/:import_id': { own: 200 },
  'GET /api/v1/series': {
    own: 200,
    names: ['workspace_id'],
    query: (ids) => ({ ...workspaceQuery(ids), trend_changed_since: '2020-01-01' }),
  },
  'GET /api/v1/series/:series_id': { own: 200 },
  'GET /api/v1/series/:series_id/actuals': { own: 200, query: () => ({ from: '2020-01' }) },
  'GET /api/v1/workspaces': { own: 200 },
  'GET /api/v1/alerts': { own: 200, names: ['workspace_id'], query: workspaceQuery },
  'PATCH /api/v1/alerts/:alert_id': { own: 200, body: () => ({ read: false }) },
  'POST /api/v1/runs': { own: 202, names: ['workspace_id'], headers: idempotent, body: RUN },
  'POST /api/v1/forecasts': { own: 202, names: ['workspace_id'], headers: idempotent, body: RUN },
  'GET /api/v1/runs': { own: 200, names: ['workspace_id'], query: workspaceQuery },
  'GET /api/v1/runs/:run_id': { own: 200 },
  'POST /api/v1/runs/:run_id/cancel': { own: 200, of: { run_id: 'queued_run_id' }, fresh: queuedRun },
  'GET /api/v1/runs/:run_id/forecasts': {
    own: 200,
    names: ['series_id'],
    query: (ids) => ({ series_id: ids.series_id, apply_overrides: 'true' }),
  },
  'GET /api/v1/runs/:run_id/safety-stock': { own: 200, query: () => ({ lead_time: '2', service_level: '0.9' }) },
  'GET /api/v1/runs/:run_id/safety-stock/:series_id': {
    own: 200,
    query: () => ({ lead_time: '2', lead_time_sd: '0.5', service_level: '0.9' }),
  },
  'GET /api/v1/series/:series_id/forecast': {
    own: 200,
    names: ['run_id'],
    query: (ids) => ({ run_id: ids.run_id }),
  },
  'GET /api/v1/runs/:current/compare/:prior/forecast-explain': { own: 200, names: ['series_id'], query: seriesQuery },
  'GET /api/v1/runs/:run_id/series-metrics': { own: 200, names: ['series_id'], query: seriesQuery },
  'GET /api/v1/runs/:run_id/accuracy': { own: 200, of: { run_id: 'prior' }, names: ['series_id'], query: seriesQuery },
  'GET /api/v1/runs/:run_id/totals': { own: 200, query: () => ({ apply_overrides: 'true' }) },
  'GET /api/v1/runs/:run_id/demand-sensing': { own: 200, names: ['series_id'], query: seriesQuery },

  'GET /odata/v4': { own: 200 },
  'GET /odata/v4/$metadata': { own: 200 },
  'POST /odata/v4/$batch': { own: 501 },
  'GET /odata/v4/:resource': [
    set('Workspaces', { $count: 'true' }),
    set('Series', { $expand: 'workspace' }),
    set('Actuals', EXPANDED),
    set('Runs', { $expand: 'workspace', $filter: 'is_latest or series_total ge 0' }),
    set('Forecasts', EXPANDED),
    set('Forecasts', { $apply: 'groupby((series/unique_id,workspace/name),aggregate($count as rows))' }),
    set('SeriesMetrics', EXPANDED),
    set('Totals', { $expand: 'workspace,run' }),
    set('SafetyStocks', EXPANDED),
    set('Alerts', EXPANDED),
    entity(['workspace_id'], ({ workspace_id }) => `Workspaces(${workspace_id})`),
    entity(['series_id'], ({ series_id }) => `Series(${series_id})`),
    entity(['series_id'], ({ series_id }) => `Series(${series_id})`, { $expand: 'workspace' }),
    entity(['series_id'], ({ series_id }) => `Actuals(series_id=${series_id},ds=${DEMAND_MONTH})`),
    entity(['run_id'], ({ run_id }) => `Runs(${run_id})`),
    entity(['run_id', 'series_id'], FORECAST),
    entity(
      ['run_id', 'series_id'],
      ({ run_id, series_id }) => `SeriesMetrics(run_id=${run_id},series_id=${series_id})`,
    ),
    entity(['series_id'], ({ series_id }) => `SafetyStocks(${series_id})`),
    entity(['alert_id'], ({ alert_id }) => `Alerts(${alert_id})`),
    entity(['alert_id'], ({ alert_id }) => `Alerts(${alert_id})`, { $expand: '*' }),
  ],
  'GET /odata/v4/:resource/$count': [
    'Workspaces',
    'Series',
    'Actuals',
    'Runs',
    'Forecasts',
    'SeriesMetrics',
    'Totals',
    'SafetyStocks',
    'Alerts',
  ].map((name) => set(name)),
  'GET /odata/v4/:resource/:member': {
    ...entity(['series_id'], ({ series_id }) => `Series(${series_id})`),
    path: { resource: ({ series_id }) => `Series(${series_id})`, member: () => 'workspace' },
  },
  'GET /odata/v4/:resource/:member/$value': {
    ...entity(['series_id'], ({ series_id }) => `Series(${series_id})`),
    path: { resource: ({ series_id }) => `Series(${series_id})`, member: () => 'unique_id' },
  },
};

/** The ways in which the suite calls a route, by its method and path. */
export function casesOf(route: string): readonly RouteCase[] {
  return [ROUTE_CASES[route] ?? []].flat();
}
