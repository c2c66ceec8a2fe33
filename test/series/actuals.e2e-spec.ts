import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant, createWorkspace } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('series and their stored demand', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let api: Api;
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    tenant = await createTenant(service);
    api = new Api(service.url, tenant.workspaceKey);
    const csv =
      'unique_id,ds,y,category\nA,2025-12,7,Tea\nA,2026-02-01,1,Tea\nA,2026-02-03,2.5,Tea\nB/1,2026-01,4,Coffee\n';
    expect((await api.upload(tenant.workspaceId, csv)).status).toBe(200);
  });
  afterAll(() => service.close());

  const remove = async (path: string, role: 'admin' | 'member' | 'viewer'): Promise<number> => {
    const { token } = await createMember(service.database, tenant.organizationId, role);
    const reply = await fetch(`${service.url}/workspaces/${tenant.workspaceId}/series/${path}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
    return reply.status;
  };
  const actuals = async (query = ''): Promise<unknown> => (await api.get(`/series/A/actuals${query}`)).body;

  const DECEMBER = { month: '2025-12-01', y: 7, days: null };
  const FEBRUARY = {
    month: '2026-02-01',
    y: 3.5,
    days: [
      { ds: '2026-02-01', y: 1 },
      { ds: '2026-02-03', y: 2.5 },
    ],
  };

  it('are read by month, with days where given, within a range', async () => {
    expect(await actuals()).toEqual([DECEMBER, FEBRUARY]);
    expect(await actuals('?from=2026-01')).toEqual([FEBRUARY]);
    expect(await actuals('?to=2026-01-01')).toEqual([DECEMBER]);
    const wrong = await api.get('/series/A/actuals?from=2026-02&to=2026-01');
    expect([wrong.status, wrong.body['errors']]).toEqual([400, [{ param: 'to', message: 'must not be before from' }]]);
    expect((await api.get('/series/none/actuals')).status).toBe(404);
  });

  it('are removed from one series alone, and so is a series', async () => {
    const both = 'unique_id,ds,y\nB/1,2026-02,5\nC,2026-02,6\n';
    expect((await api.upload(tenant.workspaceId, both)).status).toBe(200);
    const { body: before } = await api.get('/series/B%2F1/actuals');
    expect(await remove('A/actuals?from=2026-02&to=2026-02', 'member')).toBe(204);
    expect(await actuals()).toEqual([DECEMBER]);
    const told = `SELECT (details ->> 'months')::int AS months FROM audit_events
      WHERE organization_id = $1 AND action = 'demand.deleted'`;
    expect(await service.database.query(told, [tenant.organizationId])).toEqual([{ months: 1 }]);
    expect(await remove('C', 'admin')).toBe(204);
    expect((await api.get('/series/B%2F1/actuals')).body).toEqual(before);
    expect(before).toHaveLength(2);
    expect((await api.get<{ unique_id: string }[]>('/series')).body.map((series) => series.unique_id).sort()).toEqual([
      'A',
      'B/1',
    ]);
  });

  it('are found by unique_id and by category, and read one by one', async () => {
    const listed = async (query: string): Promise<string[]> =>
      (await api.get<{ unique_id: string }[]>(`/series?${query}`)).body.map((series) => series.unique_id);
    expect(await listed('unique_id=A')).toEqual(['A']);
    expect(await listed('category=Coffee')).toEqual(['B/1']);
    expect(await listed('category=%20Coffee%20')).toEqual(['B/1']);
    expect(await listed('category=Coffee&unique_id=A')).toEqual([]);
    expect((await api.get('/series?category=Tea&trend_changed_since=2026-01-01')).body).toMatchObject({
      errors: [{ param: 'category' }],
    });
    const read = await api.get(`/series/${encodeURIComponent('B/1')}`);
    expect(read.body).toMatchObject({ unique_id: 'B/1', category: 'Coffee', observations: 1 });
    expect((await api.get(`/series/${String(read.body['id'])}`)).body).toEqual(read.body);
    const other = new Api(service.url, (await createTenant(service)).organizationKey);
    expect((await other.get(`/series/${String(read.body['id'])}`)).status).toBe(404);
  });

  it('can be searched and read by viewers as with a key', async () => {
    const { token } = await createMember(service.database, tenant.organizationId, 'viewer');
    const viewer = new AppClient(service.url, token);
    for (const [path, status] of [
      ['/series', 200],
      ['/series?limit=1', 200],
      ['/series?unique_id=A', 200],
      ['/series?category=Coffee', 200],
      ['/series?trend_changed_since=2026-01-01', 200],
      ['/series?category=Tea&trend_changed_since=2026-01-01', 400],
      [`/series/${encodeURIComponent('B/1')}`, 200],
      ['/series/none', 404],
      ['/series/A/actuals?from=2026-01', 200],
      ['/series/A/actuals?from=2026-02&to=2026-01', 400],
    ] as const) {
      const [byKey, byViewer] = [await api.get(path), await viewer.get(`/workspaces/${tenant.workspaceId}${path}`)];
      expect([path, byKey.status]).toEqual([path, status]);
      expect([path, byViewer.status, { ...byViewer.body, request_id: '' }]).toEqual([
        path,
        status,
        { ...byKey.body, request_id: '' },
      ]);
    }
    const other = new AppClient(
      service.url,
      (await createMember(service.database, (await createTenant(service)).organizationId, 'owner')).token,
    );
    expect((await other.get(`/workspaces/${tenant.workspaceId}/series/A/actuals`)).status).toBe(404);
  });

  it('are none of a series that has lost all of its months', async () => {
    expect(await remove('B%2F1/actuals?from=2026-01&to=2026-01', 'member')).toBe(204);
    const read = await api.get('/series/B%2F1');
    expect(read.body).toMatchObject({ unique_id: 'B/1', first_month: null, last_month: null, observations: 0 });
    expect((await api.get('/series?unique_id=B%2F1')).body).toEqual([read.body]);
    expect((await api.get('/series/B%2F1/actuals')).body).toEqual([]);
  });

  it('lose whole months to members, and themselves to admins, including what runs reported about them', async () => {
    const { id } = await api.run({ config_overrides: { min_history: 1, horizon: 2 } });
    expect(await remove('A/actuals?from=2026-01&to=2026-02', 'viewer')).toBe(403);
    expect(await remove('A/actuals?from=2026-01&to=2026-02', 'member')).toBe(204);
    expect(await actuals()).toEqual([DECEMBER]);
    expect((await api.get('/series/A')).body).toMatchObject({ last_month: '2025-12-01', observations: 1 });
    expect(await remove('A', 'member')).toBe(403);
    expect(await remove('A', 'admin')).toBe(204);
    expect(await remove('A', 'admin')).toBe(404);
    const rows = (await api.get<{ unique_id: string }[]>(`/runs/${id}/forecasts`)).body;
    expect([...new Set(rows.map(({ unique_id: uniqueId }) => uniqueId))]).toEqual(['B/1']);
    const kept = await service.database.query('SELECT 1 FROM demand WHERE workspace_id = $1', [tenant.workspaceId]);
    expect(kept).toHaveLength(1);
  });

  it.each([
    ['an edit', 'FROM series', (owner: AppClient, path: string) => owner.patch(path, { product_name: 'Soap' })],
    [
      'a deletion of months',
      'FROM workspaces',
      (owner: AppClient, path: string) => owner.delete(`${path}/actuals?from=2026-02&to=2026-02`),
    ],
  ])('are gone for %s that arrived during their deletion, and the audit log has no event of it', async (...act) => {
    const [, held, change] = act;
    const { token } = await createMember(service.database, tenant.organizationId, 'owner');
    const owner = new AppClient(service.url, token);
    await using rows = await holdRows(service.database, `SELECT ${held} WHERE organization_id = $1 FOR UPDATE`, [
      tenant.organizationId,
    ]);
    const changed = change(owner, `/workspaces/${tenant.workspaceId}/series/A`);
    await rows.untilAwaitedBy(1);
    await rows.release((tx) =>
      tx.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id = 'A'`, [tenant.workspaceId]),
    );
    expect((await changed).status).toBe(404);
    const { body: log } = await owner.get<{ action: string }[]>(`/orgs/${tenant.organizationId}/audit-log`);
    expect(log.map(({ action }) => action)).toEqual(['demand.uploaded']);
  });

  it('belong to workspaces that a key can list: all of its organization, or its own', async () => {
    const second = await createWorkspace(service.database, tenant.organizationId);
    const ids = async (key: string): Promise<string[]> =>
      (await new Api(service.url, key).get<{ id: string }[]>('/workspaces')).body.map((workspace) => workspace.id);
    expect(await ids(tenant.organizationKey)).toEqual([second.id, tenant.workspaceId]);
    expect(await ids(tenant.workspaceKey)).toEqual([tenant.workspaceId]);
  });
});
