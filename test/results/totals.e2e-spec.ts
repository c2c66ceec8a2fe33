import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Feed } from '../odata/feed.js';
import type { Api } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, UNKNOWN_ID } from '../support/builders.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { nthMonth } from '../support/time/nth-month.js';

type Row = {
  unique_id: string;
  category: string | null;
  ds: string;
  q10: number;
  q50: number;
  q90: number;
  mean: number;
};
type Total = {
  category: string | null;
  unit: string | null;
  ds: string;
  months: number;
  series: number;
  q10: number;
  q50: number;
  q90: number;
  mean: number;
  final?: number;
};

const HORIZON = 3;
/** Series by category and unit. */
const GROUPS = [
  { category: 'Coffee', unit: 'bags', series: ['C1', 'C2', 'C3', 'C4'] },
  { category: 'Coffee', unit: 'kg', series: ['C5'] },
  { category: 'Tea', unit: 'bags', series: ['T1', 'T2', 'T3'] },
  { category: '', unit: '', series: ['X1', 'X2'] },
];

function groupsCsv(): string {
  const lines = GROUPS.flatMap(({ category, unit, series }) =>
    series.flatMap((id, s) =>
      Array.from({ length: 48 }, (_, index) => {
        const y = 200 + 20 * s + ((index * (17 + 6 * s)) % 41);
        return `${id},${nthMonth(2020, index)},${y},${category},${unit}`;
      }),
    ),
  );
  return `unique_id,ds,y,category,unit\n${lines.join('\n')}\n`;
}

describe('totals of a run', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  let runId: string;
  let rows: Row[];

  const totals = async (query = ''): Promise<Total[]> => {
    const reply = await api.get<Total[]>(`/runs/${runId}/totals${query}`);
    expect([reply.status, reply.body]).toMatchObject([200, {}]);
    return reply.body;
  };
  const sumOf = (ids: readonly string[], ds: string, pick: (row: Row) => number): number =>
    rows.filter((row) => ids.includes(row.unique_id) && row.ds === ds).reduce((sum, row) => sum + pick(row), 0);

  const signIn = async (role: 'viewer' | 'member'): Promise<AppClient> =>
    new AppClient(service.url, (await createMember(service.database, tenant.organizationId, role)).token);

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await tenantWithDemand(service, groupsCsv()));
    runId = (await api.run({ config_overrides: { horizon: HORIZON } })).id;
    rows = (await api.get<Row[]>(`/runs/${runId}/forecasts`)).body;
  });
  afterAll(() => service.close());

  it('are listed by category, unit and month, those without a category last', async () => {
    const listed = await totals();
    const months = ['2024-01-01', '2024-02-01', '2024-03-01'];
    expect(listed.map(({ category, unit, ds, series }) => ({ category, unit, ds, series }))).toEqual(
      GROUPS.flatMap(({ category, unit, series }) =>
        months.map((ds) => ({ category: category || null, unit: unit || null, ds, series: series.length })),
      ),
    );
  });

  it('have the sum of the means, and a range that is narrower than the sum of ranges', async () => {
    const listed = await totals('?category=Tea');
    expect(listed).toHaveLength(HORIZON);
    for (const total of listed) {
      const sum = (pick: (row: Row) => number) => sumOf(['T1', 'T2', 'T3'], total.ds, pick);
      expect(total.mean).toBeCloseTo(
        sum((row) => row.mean),
        3,
      );
      expect(total.q10).toBeGreaterThan(sum((row) => row.q10));
      expect(total.q90).toBeLessThan(sum((row) => row.q90));
      expect(total.q50).toBeGreaterThan(total.q10);
      expect(total.q90).toBeGreaterThan(total.q50);
    }
  });

  it('are the forecast of a series that is alone in its category and unit', async () => {
    const [total] = (await totals()).filter(({ unit }) => unit === 'kg');
    const row = rows.find(({ unique_id, ds }) => unique_id === 'C5' && ds === total!.ds)!;
    expect(total).toMatchObject({ series: 1, q10: row.q10, q50: row.q50, q90: row.q90, mean: row.mean });
  });

  it('of the workspace add up all categories, each unit for itself', async () => {
    const listed = await totals('?group_by=workspace&from=2024-02&to=2024-02-01');
    expect(listed.map(({ category, unit, ds, series }) => [category, unit, ds, series])).toEqual([
      [null, 'bags', '2024-02-01', 7],
      [null, 'kg', '2024-02-01', 1],
      [null, null, '2024-02-01', 2],
    ]);
  });

  it('add up the months as well, whose range is narrower still', async () => {
    const byMonth = await totals('?category=Tea&from=2024-02');
    const [total, ...others] = await totals('?category=Tea&from=2024-02&sum_months=true');
    expect(others).toEqual([]);
    expect(total).toMatchObject({ category: 'Tea', unit: 'bags', ds: '2024-02-01', months: 2, series: 3 });
    const sum = (pick: (month: Total) => number) => byMonth.reduce((so, month) => so + pick(month), 0);
    expect(total!.mean).toBeCloseTo(
      sum(({ mean }) => mean),
      3,
    );
    expect(total!.q90 - total!.q10).toBeLessThan(sum(({ q10, q90 }) => q90 - q10));
  });

  it('of one category, or of the series without one, are those of the list', async () => {
    const listed = await totals();
    const coffee = listed.filter(({ category }) => category === 'Coffee');
    expect(await totals('?category=Coffee&without_category=false')).toEqual(coffee);
    const rest = listed.filter(({ category }) => category === null);
    expect(await totals('?without_category=true')).toEqual(rest);
    expect(await totals('?without_category=true&group_by=workspace')).toEqual(rest);
  });

  it('include overrides in final alone', async () => {
    const member = await signIn('member');
    const before = await totals('?category=Tea&apply_overrides=true');
    expect(before.map(({ final }) => final)).toEqual(before.map(({ mean }) => mean));
    const override = { series_id: 'T2', month: '2024-02', kind: 'delta', value: 50, reason: 'promotion' };
    expect((await member.put(`/workspaces/${tenant.workspaceId}/overrides`, override)).status).toBeLessThan(300);
    const after = await totals('?category=Tea&apply_overrides=true');
    expect(after.map(({ final, ...total }) => [total, final])).toEqual(
      before.map(({ final, ...total }) => [total, total.ds === '2024-02-01' ? expect.closeTo(final! + 50, 3) : final]),
    );
    const [sum] = await totals('?category=Tea&apply_overrides=true&sum_months=true');
    expect(sum!.final).toBeCloseTo(sum!.mean + 50, 3);
    expect(await totals('?category=Tea')).toEqual(before.map(({ final: _, ...total }) => total));
  });

  it('are empty for a category that the run has no series of, and the same for members', async () => {
    expect(await totals('?category=Cocoa')).toEqual([]);
    const viewer = await signIn('viewer');
    const reply = await viewer.get(`/workspaces/${tenant.workspaceId}/runs/${runId}/totals`);
    expect([reply.status, reply.body]).toEqual([200, await totals()]);
  });

  it('are CSV on request, with the members of the JSON as columns, and the audit log records the export', async () => {
    const path = `/runs/${runId}/totals?group_by=workspace&sum_months=true`;
    const csv = { accept: 'text/csv' };
    const listed = (await api.get<Total[]>(`${path}&apply_overrides=true`)).body;
    const reply = await api.get<string>(`${path}&apply_overrides=true`, csv);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="totals-${runId}.csv"`);
    expect(reply.body.split('\r\n')).toEqual([
      'category,unit,ds,months,series,q10,q50,q90,mean,final',
      ...listed.map((total) => Object.values(total).join(',')),
      '',
    ]);
    expect((await api.get<string>(path, csv)).body).toMatch(/^category,unit,ds,months,series,q10,q50,q90,mean\r\n/);
    expect((await api.send('HEAD', path, undefined, csv)).status).toBe(200);
    const admin = new AppClient(
      service.url,
      (await createMember(service.database, tenant.organizationId, 'admin')).token,
    );
    const { body } = await admin.get(`/orgs/${tenant.organizationId}/audit-log?action=forecasts.exported`);
    const filter = { group_by: 'workspace', sum_months: true };
    const details = { workspace_id: tenant.workspaceId, totals: listed.length, filter };
    expect(body).toMatchObject([
      { details },
      { details: { ...details, filter: { ...filter, apply_overrides: true } } },
    ]);
  });

  it.each([
    ['?group_by=unit', 'group_by', 'must be one of category, workspace'],
    ['?category=', 'category', 'must not be empty'],
    ['?category=Tea&without_category=true', 'category', 'cannot be combined with without_category'],
    ['?from=2024-03&to=2024-02', 'to', expect.any(String)],
    ['?limit=5', 'limit', expect.any(String)],
  ])('reject %s', async (query, param, message) => {
    const reply = await api.get(`/runs/${runId}/totals${query}`);
    expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ param, message }] }]);
  });

  it('are not found for an unknown run', async () => {
    expect((await api.get(`/runs/${UNKNOWN_ID}/totals`)).status).toBe(404);
  });

  it('of more than a thousand categories must be asked for one by one, and are not in the feed', async () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => `S${i},2024-01,5,K${i}\nS${i},2024-02,7,K${i}`);
    lines.push('X,2024-01,5,\nX,2024-02,7,');
    const many = await tenantWithDemand(service, `unique_id,ds,y,category\n${lines.join('\n')}\n`);
    const { id } = await many.api.run({ config_overrides: { horizon: 1, backtest_windows: 0 } });
    const feed = new Feed(service.url, many.tenant.workspaceKey);
    expect((await feed.rows('SafetyStocks', { $top: '1' })).length).toBe(1);
    expect(await feed.rows('Totals')).toEqual([]);
    const reply = await many.api.get(`/runs/${id}/totals`);
    const message = 'would give more than 1,000 totals: name one category, use without_category, or use workspace';
    expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ param: 'group_by', message }] }]);
    expect((await many.api.get<Total[]>(`/runs/${id}/totals?category=K7`)).body).toMatchObject([{ series: 1 }]);
    expect((await many.api.get<Total[]>(`/runs/${id}/totals?without_category=true`)).body).toMatchObject([
      { category: null, series: 1 },
    ]);
    expect((await many.api.get<Total[]>(`/runs/${id}/totals?group_by=workspace`)).body).toMatchObject([
      { series: 1_001 },
    ]);
    await service.database.execute(`DELETE FROM series WHERE unique_id = 'X' AND workspace_id = $1`, [
      many.tenant.workspaceId,
    ]);
    expect((await many.api.get<Total[]>(`/runs/${id}/totals`)).body).toHaveLength(1_000);
  });
});
