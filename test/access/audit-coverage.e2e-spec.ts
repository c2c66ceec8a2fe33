import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLATFORM_CHAIN } from '../../src/access/audit/audit-event.js';
import { verifyAuditChain } from '../../src/access/index.js';
import { Api, demandCsv } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { AUDITED_ROUTES, connectorPath, type AuditedRoute, type Stage } from '../support/routes/audited-routes.js';
import {
  addMember,
  createMember,
  createSession,
  createTenant,
  createUser,
  TEST_PASSWORD,
} from '../support/builders.js';
import { routesOf } from '../support/routes/routes.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/test-service.js';

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

interface Event {
  action: string;
  actor_kind: string;
  actor_id: string | null;
  details: Record<string, unknown>;
}

describe('the audit log of every module', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ role: 'api' }); // a run that nobody computes can be canceled
  });
  afterAll(() => service.close());

  async function stage(): Promise<Stage> {
    const db = service.database;
    const { organizationId, workspaceId, organizationKey } = await createTenant(service);
    const owner = await createMember(db, organizationId, 'owner');
    const viewer = await createUser(db, { secondFactor: true });
    await addMember(db, organizationId, viewer.id, 'viewer');
    const operator = await createUser(db, { isOperator: true });
    const as = async (userId: string) => new AppClient(service.url, await createSession(db, userId));
    return {
      organizationId,
      workspaceId,
      owner: await as(owner.id),
      ownerEmail: owner.email,
      operator: await as(operator.id),
      viewer: await as(viewer.id),
      viewerId: viewer.id,
      nobody: new AppClient(service.url),
      api: new Api(service.url, organizationKey),
      database: db,
    };
  }

  /** The events of these organizations, in the order they were written. */
  const eventsOf = (...chains: string[]) =>
    service.database.query<Event>(
      'SELECT action, actor_kind, actor_id, details FROM audit_events WHERE organization_id = ANY ($1) ORDER BY id',
      [chains],
    );
  /** Those of the organization and of the platform. */
  const events = (organizationId: string) => eventsOf(organizationId, PLATFORM_CHAIN);

  it('covers every route that changes something, and no others', () => {
    const changing = routesOf(service.app)
      .filter((route) => CHANGING.has(route.method))
      .map((route) => `${route.method} ${route.path}`);
    expect(changing.filter((name) => AUDITED_ROUTES[name] === undefined)).toEqual([]);
    expect(Object.keys(AUDITED_ROUTES).filter((name) => !changing.includes(name))).toEqual([]);
  });

  it.each(
    Object.entries(AUDITED_ROUTES).filter((entry): entry is [string, AuditedRoute] => typeof entry[1] !== 'string'),
  )('records %s', async (_name, { action, act }) => {
    const scene = await stage();
    const before = await events(scene.organizationId);
    const reply = await act(scene);
    expect([reply.status < 300, reply.body]).toEqual([true, reply.body]);
    const event = (await events(scene.organizationId)).slice(before.length).at(-1);
    expect(event).toMatchObject({ action, actor_id: expect.any(String) });
    expect(['user', 'api_key']).toContain(event!.actor_kind);
    expect(Object.keys(event!.details).filter((name) => !/^[a-z0-9_]+$/.test(name))).toEqual([]);
    expect(await verifyAuditChain(service.database, scene.organizationId)).toMatchObject({ intact: true });
  });

  it('names a removed connector, of which nothing else remains', async () => {
    const scene = await stage();
    const removed = AUDITED_ROUTES['DELETE /workspaces/:workspace_id/connectors/:connector_id'] as AuditedRoute;
    await removed.act(scene);
    expect((await events(scene.organizationId)).at(-1)).toMatchObject({
      action: 'connector.deleted',
      details: { name: 'Shop', platform: 'shopify' },
    });
  });

  it('records no export when only the headers of a file are requested', async () => {
    const { owner, organizationId } = await stage();
    const headers = { authorization: `Bearer ${owner.token}`, accept: 'text/csv, application/pdf' };
    for (const path of ['audit-log', 'soc2-readiness-report']) {
      const reply = await fetch(`${service.url}/orgs/${organizationId}/${path}`, { method: 'HEAD', headers });
      expect([reply.status, reply.headers.get('content-disposition')]).toEqual([
        200,
        expect.stringContaining('attachment'),
      ]);
    }
    expect(await eventsOf(organizationId)).toEqual([]);
  });

  it('records a new allowlist as the command line does, and what else changes with it', async () => {
    const { owner, organizationId } = await stage();
    const change = (wishes: object) => owner.patch(`/orgs/${organizationId}`, wishes);
    await change({ ip_allowlist: ['192.0.2.7'] });
    await change({ ip_allowlist: [], name: 'Renamed' });
    await change({ data_region: 'eu', retention_months: 12 });
    await change({ retention_months: null, data_region: 'eu' });
    expect((await eventsOf(organizationId)).map(({ action, details }) => [action, details])).toEqual([
      ['organization.allowlist_changed', { ip_allowlist: ['192.0.2.7/32'], before: { ip_allowlist: [] } }],
      ['organization.changed', { name: 'Renamed', before: { name: expect.stringMatching(/^Organization /) } }],
      ['organization.allowlist_changed', { ip_allowlist: [], before: { ip_allowlist: ['192.0.2.7/32'] } }],
      [
        'organization.changed',
        { data_region: 'eu', retention_months: 12, before: { data_region: null, retention_months: null } },
      ],
      ['organization.changed', { retention_months: null, before: { retention_months: 12 } }],
    ]);
  });

  it('records what changed in a key, with the former values', async () => {
    const { owner, organizationId } = await stage();
    const { body } = await owner.post<{ id: string }>(`/orgs/${organizationId}/api-keys`, { name: 'ERP' });
    const change = (wishes: object) => owner.patch(`/orgs/${organizationId}/api-keys/${body.id}`, wishes);
    await change({ ip_allowlist: ['192.0.2.7'] });
    await change({ name: 'BI', ip_allowlist: ['192.0.2.7'] });
    const recorded = (await eventsOf(organizationId)).filter(({ action }) => action === 'api_key.changed');
    expect(recorded.map(({ details }) => details)).toEqual([
      { name: 'ERP', ip_allowlist: ['192.0.2.7/32'], before: { ip_allowlist: [] } },
      { name: 'BI', before: { name: 'ERP' } },
    ]);
  });

  it('records what changed in a workspace and a connector, and only the names of changed secrets', async () => {
    const own = await stage();
    const { owner, organizationId, workspaceId } = own;
    await owner.patch(`/orgs/${organizationId}/workspaces/${workspaceId}`, { name: 'Depot', time_zone: 'Etc/UTC' });
    await owner.patch(`/orgs/${organizationId}/workspaces/${workspaceId}`, { name: 'Store' });
    const connector = await connectorPath(own);
    await owner.patch(connector, { name: 'Shop 2', enabled: false });
    await owner.patch(connector, { enabled: false, settings: { access_token: 'shpat_2' } });
    await owner.patch(connector, { name: 'Shop 2' });
    const recorded = (await eventsOf(organizationId)).filter(({ action }) =>
      /^(workspace|connector)\.changed$/.test(action),
    );
    expect(recorded.map(({ details }) => details)).toEqual([
      expect.objectContaining({ name: 'Depot', before: expect.objectContaining({ name: expect.any(String) }) }),
      { name: 'Store', before: { name: 'Depot' } },
      { workspace_id: workspaceId, name: 'Shop 2', enabled: false, before: { name: 'Shop', enabled: true } },
      { workspace_id: workspaceId, settings_changed: ['access_token'] },
    ]);
  });

  it('records every account that an invitation created, and none that existed', async () => {
    const { owner, nobody, organizationId, database } = await stage();
    const { email: known } = await createUser(database);
    const fresh = `fresh-${organizationId}@example.com`;
    for (const email of [known, fresh]) {
      const { body } = await owner.post(`/orgs/${organizationId}/invitations`, { email, role: 'viewer' });
      const acceptance = { token: body['token'], name: 'Guest', password: TEST_PASSWORD };
      expect((await nobody.post('/auth/invitations/accept', acceptance)).status).toBe(200);
    }
    const recorded = (await eventsOf(PLATFORM_CHAIN)).filter(
      ({ action, details }) => action === 'user.created' && [known, fresh].includes(String(details['email'])),
    );
    expect(recorded.map(({ actor_kind, details }) => [actor_kind, details])).toEqual([
      ['user', { email: fresh, operator: false }],
    ]);
    expect(await verifyAuditChain(database, null)).toMatchObject({ intact: true });
  });

  it('records nothing when nothing changes', async () => {
    const { owner, organizationId, workspaceId } = await stage();
    const { body } = await owner.post<{ id: string }>(`/orgs/${organizationId}/api-keys`, { name: 'ERP' });
    const before = (await eventsOf(organizationId)).length;
    const replies = [
      await owner.patch(`/orgs/${organizationId}/api-keys/${body.id}`, { name: 'ERP', ip_allowlist: [] }),
      await owner.patch(`/orgs/${organizationId}`, { ip_allowlist: [], data_region: null, retention_months: null }),
      await owner.patch(`/orgs/${organizationId}/workspaces/${workspaceId}`, { time_zone: 'UTC' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await eventsOf(organizationId)).toHaveLength(before);
  });

  it('records nothing when a member gets the role they already have', async () => {
    const { owner, organizationId, viewerId } = await stage();
    const reply = await owner.patch(`/orgs/${organizationId}/members/${viewerId}`, { role: 'viewer' });
    expect(reply).toMatchObject({ status: 200, body: { role: 'viewer' } });
    expect(await eventsOf(organizationId)).toEqual([]);
  });

  it('records a suspension separately from a plan change', async () => {
    const { operator, organizationId } = await stage();
    const path = `/admin/orgs/${organizationId}`;
    const { body } = await operator.patch(path, { suspended: true, reason: 'unpaid' });
    await operator.patch(path, { suspended: true });
    const changed = await operator.patch(path, { suspended: true, reason: 'fraud' });
    expect(changed.body).toMatchObject({ suspended_at: body['suspended_at'], suspension_reason: 'fraud' });
    await operator.patch(path, { suspended: false });
    expect((await events(organizationId)).slice(-3).map(({ action, details }) => [action, details])).toEqual([
      ['organization.suspended', { reason: 'unpaid' }],
      ['organization.suspended', { reason: 'fraud' }],
      ['organization.resumed', { reason: null }],
    ]);
  });

  it('records forecasts exported as a file, but not those read page by page', async () => {
    const { api, workspaceId, organizationId } = await stage();
    await api.upload(workspaceId, demandCsv(2, 30));
    const worker = await startTestService({
      role: 'worker',
      database: { url: service.databaseUrl, drop: () => Promise.resolve() },
    });
    let run: { id: string };
    try {
      run = await api.run({ workspace_id: workspaceId });
    } finally {
      await worker.close();
    }
    await api.get(`/runs/${run.id}/forecasts`);
    const csv = { accept: 'text/csv' };
    expect((await api.send('HEAD', `/runs/${run.id}/forecasts`, undefined, csv)).status).toBe(200);
    expect((await events(organizationId)).at(-1)).toMatchObject({ action: 'run.started' });
    const narrowed = 'series_id=P0000&from=2020-01&to=2030-12&apply_overrides=true';
    expect((await api.get(`/runs/${run.id}/forecasts?${narrowed}`, csv)).status).toBe(200);
    const filter = { series_id: 'P0000', from: '2020-01', to: '2030-12', apply_overrides: true };
    expect((await events(organizationId)).at(-1)).toMatchObject({ details: { series: 1, filter } });
    expect((await api.get(`/runs/${run.id}/forecasts`, csv)).status).toBe(200);
    expect((await events(organizationId)).at(-1)).toMatchObject({
      action: 'forecasts.exported',
      actor_kind: 'api_key',
      details: { series: 2, filter: {} },
    });
  });

  it('records failed sign-ins, without the address typed for an unknown account', async () => {
    const { nobody, ownerEmail, organizationId } = await stage();
    const known = await nobody.post('/auth/login', { email: ownerEmail, password: 'not the password' });
    const unknown = await nobody.post('/auth/login', { email: 'my-secret-password@example.com', password: 'x' });
    expect([known.status, unknown.status]).toEqual([401, 401]);
    const refusals = await eventually('both failures are recorded', async () => {
      const found = (await events(organizationId)).filter((event) => event.action === 'session.refused');
      return found.length >= 2 ? found : undefined;
    });
    expect(refusals.map((event) => event.details)).toEqual(
      expect.arrayContaining([
        { email: ownerEmail, wrong: 'password' },
        { email: null, wrong: 'password' },
      ]),
    );
    expect(JSON.stringify(refusals)).not.toContain('my-secret-password');
  });

  it('records wrong passwords entered with an invitation', async () => {
    const { nobody, owner, organizationId } = await stage();
    const { email } = await createUser(service.database);
    const invited = await owner.post(`/orgs/${organizationId}/invitations`, { email, role: 'viewer' });
    const guess = { token: invited.body['token'], name: 'X', password: 'not the password' };
    expect((await nobody.post('/auth/invitations/accept', guess)).status).toBe(401);
    const noted = await eventually('it is recorded', async () =>
      (await events(organizationId)).find(
        (event) => event.action === 'session.refused' && event.details['email'] === email,
      ),
    );
    expect(noted.details).toEqual({ email, wrong: 'password' });
  });

  it('records a wrong second factor', async () => {
    const { organizationId } = await createTenant(service);
    const user = await createUser(service.database, { secondFactor: true });
    await addMember(service.database, organizationId, user.id, 'viewer');
    const sent = { email: user.email, password: TEST_PASSWORD };
    expect(
      (await new AppClient(service.url).post('/auth/login', { ...sent, code: 'abcd-efgh-abcd-efgh' })).status,
    ).toBe(401);
    await eventually('it is recorded', async () =>
      (await events(organizationId)).find((event) => event.details['wrong'] === 'second_factor'),
    );
  });
});
