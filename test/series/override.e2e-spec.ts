import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { activeOverrides, requireSeries } from '../../src/series/index.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

const DECEMBER = 12 * 2026 + 11;
const OVERRIDE = { series_id: 'A', month: '2026-12', kind: 'percent', value: 10, reason: 'Promotion' };

describe('overrides', () => {
  let service: TestService;
  let tenant: Tenant;
  let member: Awaited<ReturnType<typeof createMember>>;
  beforeAll(async () => {
    service = await startTestService();
    ({ tenant } = await tenantWithDemand(service, 'unique_id,ds,y\nA,2026-01,1\nB,2026-01,1\n'));
    member = await createMember(service.database, tenant.organizationId, 'member');
  });
  afterEach(() => service.database.execute('DELETE FROM overrides WHERE workspace_id = $1', [tenant.workspaceId]));
  afterAll(() => service.close());

  const call = async (method: string, query = '', body?: unknown, token = member.token) => {
    const reply = await fetch(`${service.url}/workspaces/${tenant.workspaceId}/overrides${query}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  const inForce = async (at = new Date()): Promise<unknown> => {
    const scope = { organizationId: tenant.organizationId, workspaceId: tenant.workspaceId };
    const series = await requireSeries(service.database, scope, 'A');
    const active = await activeOverrides(service.database, scope, [series?.id ?? ''], at);
    return active.get(series?.id ?? '')?.get(DECEMBER);
  };

  it('are replaced and removed without another month or series', async () => {
    for (const kept of [{ month: '2027-01' }, { series_id: 'B' }, {}])
      expect((await call('PUT', '', { ...OVERRIDE, ...kept })).status).toBe(200);
    expect((await call('PUT', '', { ...OVERRIDE, value: 20 })).status).toBe(200);
    expect((await call('DELETE', '?series_id=A&month=2026-12')).status).toBe(204);
    const { body } = await call('GET');
    const left = (body as { unique_id: string; month: string; value: number }[]).map((row) => [
      row.unique_id,
      row.month,
    ]);
    expect(left.sort()).toEqual([
      ['A', '2027-01-01'],
      ['B', '2026-12-01'],
    ]);
  });

  it('are listed newest first, in pages, by series and by month', async () => {
    for (const made of [{}, { month: '2027-01' }, { series_id: 'B' }]) await call('PUT', '', { ...OVERRIDE, ...made });
    const [december, january, ofB] = ['A 2026-12-01', 'A 2027-01-01', 'B 2026-12-01'];
    const listed = async (query: string) => {
      const entries = (await call('GET', query)).body as { unique_id: string; month: string }[];
      return entries.map((entry) => `${entry.unique_id} ${entry.month}`);
    };
    expect(await listed('')).toEqual([ofB, january, december]);
    expect(await listed('?series_id=A')).toEqual([january, december]);
    expect(await listed('?month=2026-12')).toEqual([ofB, december]);
    const first = await fetch(`${service.url}/workspaces/${tenant.workspaceId}/overrides?limit=2`, {
      headers: { authorization: `Bearer ${member.token}` },
    });
    expect(await first.json()).toHaveLength(2);
    const next = new URL(/<([^>]+)>/.exec(first.headers.get('link') ?? '')![1]!, service.url);
    expect(await listed(next.search)).toEqual([december]);
  });

  it('are created, replaced and removed per series and month, and keep the full history', async () => {
    const put = await call('PUT', '', OVERRIDE);
    expect([put.status, put.body]).toEqual([
      200,
      expect.objectContaining({ unique_id: 'A', month: '2026-12-01', author: member.email, active: true }),
    ]);
    expect(await inForce()).toEqual({ kind: 'percent', value: 10 });
    await call('PUT', '', { ...OVERRIDE, kind: 'absolute', value: 99, reason: 'Order in hand' });
    expect(await inForce()).toEqual({ kind: 'absolute', value: 99 });
    expect((await call('GET')).body).toMatchObject([{ kind: 'absolute', value: 99, active: true }]);
    expect((await call('DELETE', '?series_id=A&month=2026-12-01')).status).toBe(204);
    expect(await inForce()).toBeUndefined();
    expect((await call('DELETE', '?series_id=A&month=2026-12-01')).status).toBe(404);
    expect((await call('GET')).body).toEqual([]);
    expect((await call('GET', '?history=true&series_id=A&month=2026-12')).body).toMatchObject([
      { value: 99, reason: 'Order in hand', ended_by: member.email, active: false },
      { value: 10, reason: 'Promotion', ended_by: member.email, active: false },
    ]);
  });

  it('are in the audit log with what they say and by whom', async () => {
    const admin = new AppClient(
      service.url,
      (await createMember(service.database, tenant.organizationId, 'admin')).token,
    );
    await call('PUT', '', { ...OVERRIDE, expires_at: '2099-01-01' });
    await call('DELETE', '?series_id=A&month=2026-12');
    const { body } = await admin.get<unknown[]>(`/orgs/${tenant.organizationId}/audit-log?limit=2`);
    const of = { workspace_id: tenant.workspaceId, month: '2026-12-01' };
    const { kind, value, reason } = OVERRIDE;
    expect(body).toMatchObject([
      { action: 'override.removed', details: of },
      {
        action: 'override.set',
        details: { ...of, kind, value, reason, expires_at: '2099-01-01T00:00:00.000Z' },
      },
    ]);
  });

  it('are found by a removal that arrives during a replacement', async () => {
    await call('PUT', '', OVERRIDE);
    await using rows = await holdRows(service.database, 'SELECT FROM overrides WHERE ended_at IS NULL FOR UPDATE');
    const replaced = call('PUT', '', OVERRIDE);
    await rows.untilAwaitedBy(1);
    const removed = call('DELETE', '?series_id=A&month=2026-12');
    await rows.untilAwaitedBy(2);
    await rows.release();
    expect([(await replaced).status, (await removed).status]).toEqual([200, 204]);
    expect(await inForce()).toBeUndefined();
  });

  it('are dated when they take their turn among concurrent ones, so that the history is in order', async () => {
    await using rows = await holdRows(service.database, `SELECT FROM series WHERE unique_id = 'A' FOR UPDATE`);
    const put = call('PUT', '', OVERRIDE);
    await rows.untilAwaitedBy(1);
    const turn = new Date().toISOString();
    await rows.release();
    expect((await put).body).toMatchObject({ active: true });
    expect(((await put).body as { created_at: string }).created_at >= turn).toBe(true);
  });

  it('end automatically when they expire', async () => {
    const soon = new Date(Date.now() + 3_600_000);
    expect((await call('PUT', '', { ...OVERRIDE, expires_at: soon.toISOString() })).status).toBe(200);
    expect(await inForce()).toEqual({ kind: 'percent', value: 10 });
    expect(await inForce(soon)).toBeUndefined();
  });

  it('take effect when created and end when removed, even if a clock is behind', async () => {
    const behind = new Date(Date.now() - 3_600_000);
    await call('PUT', '', OVERRIDE);
    expect(await inForce(behind)).toEqual({ kind: 'percent', value: 10 });
    await service.database.execute(
      `UPDATE overrides SET created_at = now() - interval '2 hours' WHERE workspace_id = $1`,
      [tenant.workspaceId],
    );
    await call('DELETE', '?series_id=A&month=2026-12');
    expect(await inForce(behind)).toBeUndefined();
  });

  it('cannot be removed or replaced once expired: the history says that they ended automatically', async () => {
    await call('PUT', '', { ...OVERRIDE, expires_at: '2099-01-01' });
    await service.database.execute(
      `UPDATE overrides SET created_at = now() - interval '2 hours', expires_at = now() - interval '1 hour' WHERE workspace_id = $1`,
      [tenant.workspaceId],
    );
    expect((await call('DELETE', '?series_id=A&month=2026-12')).status).toBe(404);
    await call('PUT', '', { ...OVERRIDE, value: 20 });
    expect((await call('GET', '?history=true')).body).toMatchObject([
      { value: 20, active: true },
      { value: 10, active: false, ended_at: null, ended_by: null },
    ]);
    expect(await inForce()).toEqual({ kind: 'percent', value: 20 });
  });

  it('report invalid fields', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ series_id: '' }, 'series_id'],
      [{ month: '2026-13' }, 'month'],
      [{ month: '0000-01' }, 'month'],
      [{ kind: 'factor' }, 'kind'],
      [{ value: 'ten' }, 'value'],
      [{ kind: 'absolute', value: -5 }, 'value'],
      [{ kind: 'percent', value: -101 }, 'value'],
      [{ reason: ' ' }, 'reason'],
      [{ expires_at: '2020-01-01' }, 'expires_at'],
      [{ colour: 'red' }, 'colour'],
    ];
    for (const [change, param] of cases) {
      const reply = await call('PUT', '', { ...OVERRIDE, ...change });
      expect([reply.status, reply.body]).toEqual([
        400,
        expect.objectContaining({ errors: [expect.objectContaining({ param })] }),
      ]);
    }
    expect((await call('PUT', '', { ...OVERRIDE, value: '250' })).body).toMatchObject({
      detail: 'value: must be a number between -1000000000000000 and 1000000000000000',
    });
    expect((await call('PUT', '', { ...OVERRIDE, series_id: 'none' })).status).toBe(404);
  });

  it('are accepted for months that runs may forecast: not before the series begins, nor more than ten years ahead', async () => {
    const put = (month: string) => call('PUT', '', { ...OVERRIDE, month });
    const ahead = (months: number): string => {
      const present = new Date();
      return new Date(Date.UTC(present.getUTCFullYear(), present.getUTCMonth() + months)).toISOString().slice(0, 10);
    };
    expect([(await put('2026-01')).status, (await put(ahead(120))).status]).toEqual([200, 200]);
    expect(await put('2025-12')).toMatchObject({
      status: 400,
      body: { detail: 'month: must be 2026-01-01 (the first month of demand of the series) or later' },
    });
    expect(await put(ahead(121))).toMatchObject({
      status: 400,
      body: { detail: `month: must be ${ahead(120)} or earlier` },
    });
  });

  it('may leave no demand at all', async () => {
    for (const [kind, value] of [
      ['absolute', 0],
      ['percent', -100],
    ]) {
      expect(await call('PUT', '', { ...OVERRIDE, kind, value })).toMatchObject({ status: 200, body: { kind, value } });
    }
  });

  it('are for members of the workspace: viewers read, others find nothing', async () => {
    const viewer = await createMember(service.database, tenant.organizationId, 'viewer');
    const stranger = await createMember(service.database, (await createTenant(service)).organizationId, 'owner');
    expect((await call('GET', '', undefined, viewer.token)).status).toBe(200);
    expect((await call('PUT', '', OVERRIDE, viewer.token)).status).toBe(403);
    expect((await call('GET', '', undefined, stranger.token)).status).toBe(404);
    expect((await call('PUT', '', OVERRIDE, stranger.token)).status).toBe(404);
  });
});
