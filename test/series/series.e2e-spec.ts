import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatMonth } from '../../src/forecasting/index.js';
import { newId } from '../../src/platform/ids.js';
import {
  findHistoryEnd,
  requireSeries,
  hasHistory,
  type MonthlyHistory,
  monthInProgress,
  readDailyDemand,
  selectSeries,
  streamMonthlyHistories,
} from '../../src/series/index.js';
import { formatDayNumber } from '../../src/series/day-number.js';
import { latestDay } from '../../src/series/upload/demand-day.js';
import { Api, pagesOf } from '../support/api.js';
import { createMember, createTenant, createWorkspace } from '../support/builders.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

type Item = { id: string; unique_id: string; workspace_id: string };
const month = (year: number, calendarMonth: number): number => 12 * year + calendarMonth - 1;

describe('series', () => {
  let service: TestService;
  let tenant: Tenant;
  let scope: { organizationId: string; workspaceId: string };
  let api: Api;
  beforeAll(async () => {
    service = await startTestService();
    tenant = await createTenant(service);
    scope = { organizationId: tenant.organizationId, workspaceId: tenant.workspaceId };
    api = new Api(service.url, tenant.workspaceKey);
    await api.upload(
      tenant.workspaceId,
      'unique_id,ds,y,category\nA,2025-12-30,1,x\nA,2025-12-31,2,x\nA,2026-02,5,x\nb/ü,2026-01,7,y\nB,2026-03,8,x\n',
    );
  });
  afterAll(() => service.close());

  const histories = async (
    { cutoffMonth, ...selection }: { seriesIds?: readonly string[]; cutoffMonth?: number } = {},
    chunk = 2,
  ): Promise<MonthlyHistory[]> => {
    const { seriesIds } = await selectSeries(service.database, scope);
    const { lastMonth } = await findHistoryEnd(service.database, scope, cutoffMonth);
    const wanted = { seriesIds, lastMonth, ...selection };
    const all: MonthlyHistory[] = [];
    for await (const batch of streamMonthlyHistories(service.database, scope, wanted, chunk)) all.push(...batch);
    return all;
  };

  it('sum days to months, leave missing months missing and end all histories alike', async () => {
    const plain = (await histories()).map(({ uniqueId, category, startMonth, values }) => [
      uniqueId,
      category,
      startMonth,
      [...values],
    ]);
    expect(plain).toEqual([
      ['A', 'x', month(2025, 12), [3, NaN, 5, NaN]],
      ['B', 'x', month(2026, 3), [8]],
      ['b/ü', 'y', month(2026, 1), [7, NaN, NaN]],
    ]);
  });

  it('are read up to a cutoff, the requested ones in the order requested', async () => {
    const ids = [...(await selectSeries(service.database, scope)).seriesIds].reverse();
    const cut = await histories({ seriesIds: ids, cutoffMonth: month(2026, 1) });
    expect(cut.map(({ uniqueId, values }) => [uniqueId, [...values]])).toEqual([
      ['b/ü', [7]],
      ['B', []],
      ['A', [3, NaN]],
    ]);
    expect(new Set(cut.map(({ startMonth, values }) => startMonth + values.length))).toEqual(new Set([month(2026, 2)]));
  });

  it('answer 404 for the current month of a workspace deleted meanwhile', async () => {
    const gone = { organizationId: newId(), workspaceId: newId() };
    await expect(monthInProgress(service.database, gone)).rejects.toMatchObject({ status: 404 });
  });

  it('exclude the current month, in the time zone of the workspace, from histories and return its days', async () => {
    const ahead = await createWorkspace(service.database, tenant.organizationId, { timeZone: 'Pacific/Kiritimati' });
    const there = { organizationId: tenant.organizationId, workspaceId: ahead.id };
    const current = await monthInProgress(service.database, there);
    const text = (number: number): string => formatMonth(number).slice(0, 'YYYY-MM'.length);
    const key = new Api(service.url, tenant.organizationKey);
    const csv = `unique_id,ds,y\nA,${text(current - 1)},1\nA,${text(current)}-01,2\nA,${text(current)}-03,4\n`;
    expect((await key.upload(ahead.id, csv)).status).toBe(200);
    const { seriesIds } = await selectSeries(service.database, there);
    const { lastMonth } = await findHistoryEnd(service.database, there);
    const histories: unknown[] = [];
    for await (const page of streamMonthlyHistories(service.database, there, { seriesIds, lastMonth }))
      histories.push(...page.map(({ startMonth, values }) => [startMonth, [...values]]));
    expect(histories).toEqual([[current - 1, [1]]]);
    const [daily] = await readDailyDemand(service.database, there, { from: current, to: current }, seriesIds);
    expect([...(daily?.values.subarray(0, 4) ?? [])]).toEqual([2, NaN, 4, NaN]);
  });

  it('end before a month whose last days are missing, whatever is dated after today or in a later month', async () => {
    // the end of the month furthest ahead is not today's date in the zone furthest behind
    const behind = await createWorkspace(service.database, tenant.organizationId, { timeZone: 'Etc/GMT+12' });
    const there = { organizationId: tenant.organizationId, workspaceId: behind.id };
    const current = await monthInProgress(service.database, there);
    const dayIn = (number: number, day: number): string =>
      new Date(Date.UTC(2000, number - month(2000, 1), day)).toISOString().slice(0, 10);
    const key = new Api(service.url, tenant.organizationKey);
    const upload = async (...days: readonly string[]): Promise<void> => {
      const rows = days.map((day) => `A,${day},5`);
      expect((await key.upload(behind.id, `unique_id,ds,y\n${rows.join('\n')}\n`)).status).toBe(200);
    };
    const end = () => findHistoryEnd(service.database, there);
    const lacking = { lastMonth: current - 2, incompleteMonth: current - 1 };
    await upload(dayIn(current - 2, 0), dayIn(current - 1, 9));
    expect(await end()).toEqual({ lastMonth: current - 1, incompleteMonth: null }); // not kept by days
    await upload(...Array.from({ length: 28 }, (_, index) => dayIn(current - 2, index + 1)));
    expect(await end()).toEqual(lacking);
    await upload(formatDayNumber(latestDay(new Date())));
    expect(await end()).toEqual(lacking);
    const figure = `unique_id,ds,y\nB,${dayIn(current, 1).slice(0, 7)},5\n`;
    expect((await key.upload(behind.id, figure)).status).toBe(200);
    expect(await end()).toEqual(lacking);
    await upload(dayIn(current, 1));
    expect(await end()).toEqual({ lastMonth: current - 1, incompleteMonth: null });
  });

  it('are selected by unique_id and category, ordered by code point', async () => {
    const { database } = service;
    const [a, b, c] = (await selectSeries(database, scope)).seriesIds;
    expect(await selectSeries(database, scope, { category: 'x' })).toEqual({ seriesIds: [a, b], unknown: [] });
    const named = { uniqueIds: ['none', 'b/ü', 'nor this'] };
    const unknown = ['none', 'nor this'];
    expect(await selectSeries(database, scope, named)).toEqual({ seriesIds: [c], unknown });
    expect(await selectSeries(database, scope, { ...named, category: 'x' })).toEqual({ seriesIds: [], unknown });
    expect(await requireSeries(database, scope, 'b/ü')).toMatchObject({ id: c });
    expect(await requireSeries(database, scope, c ?? '')).toMatchObject({ unique_id: 'b/ü' });
  });

  it.each([
    [{}, 2, month(2026, 2), true], // A: December and February
    [{}, 3, month(2026, 12), false],
    [{}, 2, month(2026, 1), false],
    [{}, 1, month(2025, 12), true],
    [{}, 1, month(2025, 11), false],
    [{ category: 'y' }, 1, month(2025, 12), false],
    [{ uniqueIds: ['B'] }, 1, month(2027, 1), true],
  ])(
    'report whether any of the series %j has %i months of demand up to month %i: %s',
    async (filter, months, last, has) => {
      expect(
        await hasHistory(service.database, scope, filter, { months, constantMonths: months, lastMonth: last }),
      ).toBe(has);
    },
  );

  it.each([
    [
      'the same each month',
      'K,2025-11,4\nK,2025-12-01,1\nK,2025-12-09,3\nK,2026-01,4\nK,2026-02,5\n',
      month(2026, 1),
      true,
    ],
    ['not the same in the last month', 'K,2025-11,4\nK,2025-12,4\nK,2026-01,5\n', month(2026, 1), false],
    ['none, or more returns', 'K,2025-11,0\nK,2025-12,-3\nK,2026-01,0\n', month(2026, 1), true],
    ['zero in all months but one', 'K,2025-11,0\nK,2025-12,0\nK,2026-01,2\n', month(2026, 1), false],
    ['the same in too few months', 'K,2025-12,4\nK,2026-01,4\n', month(2026, 1), false],
  ])('need fewer months only if demand is constant: %s', async (_, rows, lastMonth, does) => {
    const { tenant } = await tenantWithDemand(service, `unique_id,ds,y\n${rows}`);
    const needed = { months: 25, constantMonths: 3, lastMonth };
    expect(await hasHistory(service.database, tenant, {}, needed)).toBe(does);
  });

  it('are listed newest first, in pages, limited to what the key can access', async () => {
    const other = await createTenant(service);
    const seen: string[] = [];
    for await (const page of pagesOf<Item[]>(api, '/series?limit=1')) seen.push(...page.map((item) => item.unique_id));
    expect(seen).toEqual(['B', 'b/ü', 'A']);
    const foreign = new Api(service.url, other.organizationKey);
    expect((await foreign.get<Item[]>('/series')).body).toEqual([]);
    expect((await foreign.get(`/series?workspace_id=${tenant.workspaceId}`)).status).toBe(404);
    const bound = new Api(service.url, other.workspaceKey);
    expect((await bound.get(`/series?workspace_id=${tenant.workspaceId}`)).status).toBe(403);
    for (const query of ['limit=0', 'limit=1001', 'limit=abc', 'cursor=x', 'colour=red', 'limit=1&limit=2']) {
      expect((await api.get(`/series?${query}`)).status).toBe(400);
    }
  });

  it('are found by unique_id with surrounding whitespace, which uploads trim too', async () => {
    for (const path of ['/series/%20A', '/series/b%2F%C3%BC%20', '/series/%20A%20/actuals']) {
      expect([path, (await api.get(path)).status]).toEqual([path, 200]);
    }
    expect((await api.get('/series/%20')).status).toBe(404);
    expect((await api.get('/series?unique_id=%20A%20')).body).toMatchObject([{ unique_id: 'A' }]);
    expect((await api.get('/series?unique_id=%20')).body).toMatchObject({
      errors: [{ param: 'unique_id', message: 'must not be empty' }],
    });
  });

  it('ask which workspace is meant when two have the same unique_id', async () => {
    const twice = await createTenant(service);
    const second = await createWorkspace(service.database, twice.organizationId);
    const key = new Api(service.url, twice.organizationKey);
    await key.upload(twice.workspaceId, 'unique_id,ds,y\nA,2026-01,1\n');
    await key.upload(second.id, 'unique_id,ds,y\nA,2026-01,2\n');
    const asked = {
      status: 400,
      errors: [
        {
          param: 'workspace_id',
          message: 'is required: several workspaces have a series with this unique_id',
        },
      ],
    };
    expect((await key.get('/series/A')).body).toMatchObject(asked);
    expect((await key.get('/series/A/actuals')).body).toMatchObject(asked);
    for (const [workspaceId, y] of [
      [twice.workspaceId, 1],
      [second.id, 2],
    ] as const) {
      const named = `?workspace_id=${workspaceId}`;
      const { body } = await key.get<{ id: string }>(`/series/A${named}`);
      expect(body).toMatchObject({ workspace_id: workspaceId });
      expect((await key.get(`/series/A/actuals${named}`)).body).toMatchObject([{ y }]);
      expect((await key.get(`/series/${body.id.toUpperCase()}/actuals`)).body).toMatchObject([{ y }]);
    }
    const foreign = `?workspace_id=${tenant.workspaceId}`;
    expect((await key.get(`/series/A${foreign}`)).status).toBe(404);
    expect((await new Api(service.url, twice.workspaceKey).get(`/series/A/actuals${foreign}`)).status).toBe(403);
  });

  it('show the trend that a run determined, in lists and single reads', async () => {
    const { api: key, tenant: judged } = await tenantWithDemand(
      service,
      'unique_id,ds,y\nnew,2026-01,1\nold,2026-01,1\n',
    );
    await service.database.execute(
      `INSERT INTO series_trends (organization_id, workspace_id, series_id, label, candidate, month)
       SELECT organization_id, workspace_id, id, 'decline', 'stable', 24312 FROM series
       WHERE workspace_id = $1 AND unique_id = 'old'`,
      [judged.workspaceId],
    );
    const trends = async (path: string) =>
      (await key.get<{ unique_id: string; trend_label: string | null }[]>(path)).body
        .map((item) => `${item.unique_id} ${item.trend_label}`)
        .sort();
    expect(await trends('/series')).toEqual(['new null', 'old decline']);
    expect((await key.get('/series/old')).body).toMatchObject({ trend_label: 'decline' });
    expect((await key.get('/series/new')).body).toMatchObject({ trend_label: null });
  });

  it('let members edit their descriptive fields, by id or unique_id', async () => {
    const member = await createMember(service.database, tenant.organizationId, 'member');
    const viewer = await createMember(service.database, tenant.organizationId, 'viewer');
    const stranger = await createMember(service.database, (await createTenant(service)).organizationId, 'owner');
    const edit = async (token: string, body: unknown, series = 'b/ü') => {
      const reply = await fetch(
        `${service.url}/workspaces/${tenant.workspaceId}/series/${encodeURIComponent(series)}`,
        {
          method: 'PATCH',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
      );
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    };
    const edited = await edit(member.token, {
      product_name: ' Bun ',
      category: null,
      metadata: { size: 3, note: '', colour: null },
      important: true,
    });
    expect([edited.status, edited.body]).toEqual([
      200,
      expect.objectContaining({
        product_name: 'Bun',
        category: null,
        metadata: { size: 3 },
        important: true,
        observations: 1,
      }),
    ]);
    const acts = 'SELECT 1 FROM audit_events WHERE organization_id = $1 AND action = $2';
    const edits = async () => (await service.database.query(acts, [tenant.organizationId, 'series.edited'])).length;
    expect(await edits()).toBe(1);
    const kept = await edit(member.token, {
      product_name: 'Bun',
      category: null,
      metadata: { size: 3 },
      important: true,
    });
    expect([kept, await edits()]).toEqual([edited, 1]); // nothing changed
    const statuses = [
      await edit(viewer.token, { unit: 'kg' }),
      await edit(stranger.token, { unit: 'kg' }),
      await edit(member.token, { unit: 'kg' }, 'none'),
      await edit(member.token, { unit: 5 }),
      await edit(member.token, { important: 'yes' }),
      await edit(member.token, { unique_id: 'X' }),
    ].map((reply) => reply.status);
    expect(statuses).toEqual([403, 404, 404, 400, 400, 400]);
    const wrong = async (metadata: Record<string, unknown>) => (await edit(member.token, { metadata })).body['errors'];
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`column_${at}`, at]));
    expect(await wrong(many)).toEqual([expect.objectContaining({ param: 'metadata.column_50' })]);
    expect(await wrong({ unit: 'kg' })).toEqual([expect.objectContaining({ param: 'metadata.unit' })]);
  });

  it('are deleted with their workspace, including demand', async () => {
    const { tenant: own } = await tenantWithDemand(service, 'unique_id,ds,y\nA,2026-01,1\n');
    const count = async (): Promise<number> =>
      (await service.database.query('SELECT 1 FROM demand WHERE workspace_id = $1', [own.workspaceId])).length;
    expect(await count()).toBe(1);
    await service.database.execute('DELETE FROM organizations WHERE id = $1', [own.organizationId]);
    expect(await count()).toBe(0);
  });
});
