import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Feed } from '../odata/feed.js';
import type { Queryable } from '../../src/platform/database/database.js';
import { readShareCurves } from '../../src/runs/sensing/share-curves.js';
import { demandVersion, selectSeries, streamMonthlyHistories } from '../../src/series/index.js';
import type { Api } from '../support/api.js';
import { createMember } from '../support/builders.js';
import { send } from '../support/reply.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { moveToMidday, TODAY } from '../support/time/midday.js';
import { nthMonth } from '../support/time/nth-month.js';

interface Series {
  readonly id: string;
  readonly replaced_by: string | null;
  readonly replaces: string[];
  readonly updated_at: string;
}
interface ForecastRow {
  readonly unique_id: string;
  readonly ds: string;
  readonly q50: number;
}
interface Accuracy {
  readonly series: number;
  readonly largest_errors: { unique_id: string; absolute_error: number }[];
}

const MONTHS = 48;
/** The first month of the successor, and how many later ones its predecessor still has demand in. */
const LAUNCH = 44;
const OVERLAP = 2;

const month = (m: number): string => nthMonth(2020, m);
const demand = (m: number): number => 100 + Math.round(20 * Math.sin(m / 2)) + ((m * 7919) % 13);
const oldDemand = (m: number): number => (m < LAUNCH ? demand(m) : 10);
const newDemand = (m: number): number => demand(m) - (m < LAUNCH + OVERLAP ? 10 : 0);
const line = (id: string, m: number, y: number): string => `${id},${month(m)},${y}\n`;
const months = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, m) => from + m);

const HEADER = 'unique_id,ds,y\n';
const OTHER = months(0, MONTHS).map((m) => line('OTHER', m, 40 + ((m * 31) % 9)));
const OLD = months(0, LAUNCH + OVERLAP).map((m) => line('OLD', m, oldDemand(m)));
const NEW = months(LAUNCH, MONTHS).map((m) => line('NEW', m, newDemand(m)));
const CSV = [HEADER, ...OLD, ...NEW, ...OTHER].join('');
/** The same demand as a single series. */
const MERGED_CSV = [HEADER, ...months(0, MONTHS).map((m) => line('NEW', m, demand(m))), ...OTHER].join('');

describe('a series that another one replaces', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  /** A workspace with some demand, and calls of its members. */
  const given = async (csv = CSV) => {
    const { tenant, api } = await tenantWithDemand(service, csv);
    return { tenant, api, edit: editor(tenant), read: reader(api) };
  };
  const editor =
    (tenant: Tenant) =>
    async (uniqueId: string, change: object, role: 'member' | 'viewer' = 'member') => {
      const { token } = await createMember(service.database, tenant.organizationId, role);
      return send<Series & { errors?: unknown[] }>(
        `${service.url}/workspaces/${tenant.workspaceId}/series/${uniqueId}`,
        {
          method: 'PATCH',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(change),
        },
      );
    };
  const remove = async (tenant: Tenant, uniqueId: string): Promise<void> => {
    const { token } = await createMember(service.database, tenant.organizationId, 'admin');
    await send(`${service.url}/workspaces/${tenant.workspaceId}/series/${uniqueId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
    });
  };
  const reader =
    (api: Api) =>
    async (uniqueId: string): Promise<Series> =>
      (await api.get<Series>(`/series/${uniqueId}`)).body;
  const rows = async (api: Api, run: string): Promise<ForecastRow[]> =>
    (await api.get<ForecastRow[]>(`/runs/${run}/forecasts`)).body;
  const config = { horizon: 3, backtest_windows: 1 };

  it('counts for the other, which is forecast as if it had had all of the demand', async () => {
    const { api, edit, read } = await given();
    const { status, body } = await edit('OLD', { replaced_by: 'NEW' });
    expect([status, body.replaced_by, body.replaces]).toEqual([200, 'NEW', []]);
    expect((await read('NEW')).replaces).toEqual(['OLD']);

    const run = await api.run({ config_overrides: config });
    const detail = 'Its demand counts for "NEW", which has replaced it.';
    const skipped = { total: 1, by_reason: { replaced: 1 }, first: [{ unique_id: 'OLD', reason: 'replaced', detail }] };
    expect(run).toMatchObject({ status: 'completed', metrics: { series_forecast: 2, skipped } });

    const merged = await given(MERGED_CSV);
    const { id } = await merged.api.run({ config_overrides: config });
    expect((await rows(api, run.id)).map(withoutId)).toEqual((await rows(merged.api, id)).map(withoutId));

    const reply = await api.get<{ detail: string }>(`/series/OLD/forecast?run_id=${run.id}`);
    expect([reply.status, reply.body]).toMatchObject([404, { code: 'series_not_forecast' }]);
    expect(reply.body.detail).toContain('its demand counts for "NEW"');
  });

  it('is not said to be the reason why an earlier run has no forecast of it', async () => {
    const { api, edit } = await given();
    const run = await api.run({ config_overrides: { ...config, series: { unique_ids: ['OTHER'] } } });
    await edit('OLD', { replaced_by: 'NEW' });
    expect((await api.get(`/series/OLD/forecast?run_id=${run.id}`)).body).toMatchObject({
      code: 'series_not_forecast',
      detail: 'The run has no forecast for this series: it was skipped or not selected.',
    });
  });

  it('has no trend, and gives the other that of both at once', async () => {
    const { api, edit } = await given();
    const label = async (id: string): Promise<unknown> =>
      (await api.get<{ trend_label: string | null }>(`/series/${id}`)).body.trend_label;
    await api.run({ config_overrides: config });
    expect([await label('OLD'), await label('NEW')]).toEqual([expect.any(String), 'insufficient_data']);
    await edit('OLD', { replaced_by: 'NEW' });
    await api.run({ config_overrides: config });
    expect([await label('OLD'), await label('NEW')]).toEqual([null, 'stable']);
  });

  it('has raised the alerts on its demand: they are not raised again for the other', async () => {
    const shifted = (m: number): number => demand(m) + (m < 36 ? 0 : 150);
    const { api, edit } = await given(
      [
        HEADER,
        ...months(0, MONTHS - 1).map((m) => line('OLDEST', m, shifted(m))),
        ...['OLD', 'NEW'].map((id) => line(id, MONTHS - 1, shifted(MONTHS - 1) / 2)),
      ].join(''),
    );
    const alerts = async (): Promise<string[]> =>
      (await api.get<{ unique_id: string; kind: string; period: string }[]>('/alerts')).body.map(
        ({ unique_id: id, kind, period }) => `${id} ${kind} ${period}`,
      );
    await api.run({ config_overrides: config });
    expect(await alerts()).toEqual([expect.stringMatching(/^OLDEST level/)]);
    const before = await alerts();
    await edit('OLDEST', { replaced_by: 'OLD' });
    await edit('OLD', { replaced_by: 'NEW' });
    await api.run({ config_overrides: config });
    expect(await alerts()).toEqual(before);
  });

  it('gives its trend to the last of several successors', async () => {
    const { api, edit } = await given([CSV, line('LATEST', MONTHS - 1, 1)].join(''));
    await edit('NEW', { replaced_by: 'LATEST' });
    await api.run({ config_overrides: config });
    const label = async (): Promise<unknown> =>
      (await api.get<{ trend_label: string | null }>('/series/LATEST')).body.trend_label;
    expect(await label()).toBe('insufficient_data');
    await edit('OLD', { replaced_by: 'NEW' });
    await api.run({ config_overrides: config });
    expect(await label()).toBe('stable');
  });

  it('is forecast again once nothing replaces it, as when the other is deleted', async () => {
    const { tenant, api, edit, read } = await given();
    await edit('OLD', { replaced_by: 'NEW' });
    await edit('OLD', { replaced_by: null });
    expect((await read('OLD')).replaced_by).toBeNull();
    await edit('OLD', { replaced_by: 'NEW' });
    await remove(tenant, 'NEW');
    expect((await read('OLD')).replaced_by).toBeNull();
    const run = await api.run({ config_overrides: config });
    expect(run).toMatchObject({ metrics: { series_forecast: 2, skipped: { total: 0 } } });
  });

  it.each(['OLD', 'NEW'])('leaves no trend of demand that is gone when %s, in a chain, is deleted', async (deleted) => {
    const { tenant, api, edit, read } = await given([CSV, line('LATEST', MONTHS - 1, 1)].join(''));
    await edit('OLD', { replaced_by: 'NEW' });
    await edit('NEW', { replaced_by: 'LATEST' });
    await api.run({ config_overrides: config });
    const label = async (): Promise<unknown> =>
      (await api.get<{ trend_label: string | null }>('/series/LATEST')).body.trend_label;
    expect(await label()).toBe('stable');
    await remove(tenant, deleted);
    expect(await label()).toBeNull();
    const rest = deleted === 'OLD' ? 'NEW' : 'OLD';
    expect((await read(rest)).replaced_by).toBe(deleted === 'OLD' ? 'LATEST' : null);
    await api.run({ config_overrides: config });
    expect(await label()).toBe('insufficient_data');
    expect((await api.get('/series?trend_changed_since=2000-01-01')).body).toEqual([]);
  });

  it('names the first hundred that it has replaced', async () => {
    const old = Array.from({ length: 120 }, (_, at) => `OLD-${1000 + at}`);
    const { tenant, api, read } = await given([HEADER, ...old.map((id) => line(id, 0, 1)), ...NEW].join(''));
    await api.upload(tenant.workspaceId, `unique_id,replaced_by\n${old.map((id) => `${id},NEW\n`).join('')}`);
    expect((await read('NEW')).replaces).toEqual(old.slice(0, 100));
  });

  it('may itself have replaced others, whose demand then counts too', async () => {
    const first = months(0, 20);
    const { api, edit } = await given(
      [
        HEADER,
        ...first.map((m) => line('OLDEST', m, demand(m))),
        ...months(20, LAUNCH).map((m) => line('OLD', m, demand(m))),
        ...months(LAUNCH, MONTHS).map((m) => line('NEW', m, demand(m))),
        ...OTHER,
      ].join(''),
    );
    await edit('OLDEST', { replaced_by: 'OLD' });
    await edit('OLD', { replaced_by: 'NEW' });
    const run = await api.run({ config_overrides: config });
    const merged = await given(MERGED_CSV);
    const { id } = await merged.api.run({ config_overrides: config });
    expect((await rows(api, run.id)).map(withoutId)).toEqual((await rows(merged.api, id)).map(withoutId));
  });

  it('is read a few at a time, however many series another one has replaced', async () => {
    const ids = ['A', 'B', 'C', 'D', 'E'];
    const { tenant, api } = await given(
      [HEADER, ...ids.map((id, m) => line(id, m, 1)), line('NEW', 2, 1), line('OTHER', 3, 5)].join(''),
    );
    await api.upload(tenant.workspaceId, `unique_id,replaced_by\n${ids.map((id) => `${id},NEW\n`).join('')}`);
    const { seriesIds } = await selectSeries(service.database, tenant);
    const demandRows: number[] = [];
    const watched: Queryable = {
      execute: (...statement) => service.database.execute(...statement),
      query: async (...statement) => {
        const found = await service.database.query<never>(...statement);
        if (found.some((row) => 'quantities' in row)) demandRows.push(found.length);
        return found;
      },
    };
    const histories: [string, number[]][] = [];
    for await (const batch of streamMonthlyHistories(watched, tenant, { seriesIds, lastMonth: 12 * 2020 + 4 }, 2)) {
      histories.push(...batch.map(({ uniqueId, values }): [string, number[]] => [uniqueId, [...values]]));
    }
    expect(histories.filter(([, values]) => values.length > 0)).toEqual([
      ['NEW', [1, 1, 2, 1, 1]],
      ['OTHER', [5, NaN]],
    ]);
    expect(Math.max(...demandRows)).toBeLessThanOrEqual(2);
  });

  it('must be replaced by another series of the workspace that it does not replace itself', async () => {
    const { tenant, edit, read } = await given();
    const another = await given([HEADER, line('ELSEWHERE', 0, 1)].join(''));
    await edit('OLD', { replaced_by: 'OTHER' });
    await edit('OTHER', { replaced_by: 'NEW' });
    const before = await read('NEW');
    for (const [successor, message] of [
      ['UNKNOWN', 'the workspace has no series with this unique_id: upload its first demand before'],
      [
        (await another.read('ELSEWHERE')).id,
        'the workspace has no series with this unique_id: upload its first demand before',
      ],
      ['NEW', 'must be another series'],
      ['OLD', 'is itself replaced by this series'],
      ['OTHER', 'is itself replaced by this series'],
      [' ', 'must not be blank'],
    ]) {
      const reply = await edit('NEW', { replaced_by: successor });
      expect([successor, reply.status, reply.body]).toMatchObject([
        successor,
        400,
        { errors: [{ param: 'replaced_by', message }] },
      ]);
    }
    expect(await read('NEW')).toEqual(before);
    expect((await edit('NEW', { replaced_by: null }, 'viewer')).status).toBe(403);
    expect(await auditedEdits(tenant)).toBe(2);
  });

  it('is named by uploads too, with demand or without', async () => {
    const { tenant, api, read } = await given();
    const upload = (csv: string) => api.upload(tenant.workspaceId, csv);
    expect((await upload('unique_id;Replaced_By\nOLD; NEW \nOTHER;\n')).status).toBe(200);
    expect([await read('OLD'), await read('NEW')]).toMatchObject([{ replaced_by: 'NEW' }, { replaces: ['OLD'] }]);
    expect((await upload(`unique_id,ds,y,replaced_by\nLATEST,2023-12,5,\nNEW,2023-12,9,LATEST\n`)).status).toBe(200);
    await upload(`${HEADER}NEW,2023-12,9\n`);
    expect(await read('NEW')).toMatchObject({ replaced_by: 'LATEST', replaces: ['OLD'] });
  });

  it.each([
    ['OLD,UNKNOWN\n', 'the workspace has no series with this unique_id: upload its first demand before'],
    ['OLD,OLD\n', 'must be another series'],
    ['NEW,OLD\n', 'is itself replaced by this series'],
  ])('must be replaced by such a series in uploads too: %j', async (row, message) => {
    const { tenant, api, edit, read } = await given();
    await edit('OLD', { replaced_by: 'NEW' });
    const before = [await read('OLD'), await read('NEW')];
    const { status, body } = await api.upload(tenant.workspaceId, `unique_id,replaced_by\nOTHER,NEW\n${row}`);
    const errors = [{ param: 'replaced_by', message: `line 3: ${message}` }];
    expect([status, body]).toMatchObject([400, { code: 'invalid_data', errors }]);
    expect([await read('OLD'), await read('NEW')]).toEqual(before);
  });

  it('counts as an edit, for schedules and the audit log, only if something changes', async () => {
    const { tenant, edit, read } = await given();
    const version = async (): Promise<unknown> =>
      service.database.query('SELECT demand_version FROM workspaces WHERE id = $1', [tenant.workspaceId]);
    const before = await version();
    await edit('OLD', { replaced_by: null });
    expect(await version()).toEqual(before);
    await edit('OLD', { replaced_by: 'NEW' });
    const after = await version();
    const { updated_at } = await read('OLD');
    expect(after).not.toEqual(before);
    await edit('OLD', { replaced_by: 'NEW' });
    expect(await version()).toEqual(after);
    expect((await read('OLD')).updated_at).toBe(updated_at);
    expect(await auditedEdits(tenant)).toBe(1);
  });

  const auditedEdits = async ({ organizationId }: Tenant): Promise<number> =>
    (
      await service.database.query(`SELECT FROM audit_events WHERE organization_id = $1 AND action = 'series.edited'`, [
        organizationId,
      ])
    ).length;

  it('makes a short history of the other enough to be forecast', async () => {
    const { api, edit } = await given();
    const asked = {
      workspace_id: undefined,
      config_overrides: { ...config, min_history: 24, series: { unique_ids: ['NEW'] } },
    };
    expect(await api.post('/runs', asked)).toMatchObject({ status: 400, body: { code: 'no_usable_series' } });
    await edit('OLD', { replaced_by: 'NEW' });
    expect(await api.run(asked)).toMatchObject({ metrics: { series_forecast: 1 } });
  });

  it('does not make it longer by months that both have', async () => {
    const both = ['OLD', 'NEW'].flatMap((id) => months(MONTHS - 12, MONTHS).map((m) => line(id, m, demand(m))));
    const { api, edit } = await given([HEADER, ...both].join(''));
    await edit('OLD', { replaced_by: 'NEW' });
    const asked = (least: number) => api.post('/runs', { config_overrides: { ...config, min_history: least } });
    expect(await asked(13)).toMatchObject({ status: 400, body: { code: 'no_usable_series' } });
    expect((await asked(12)).status).toBe(202);
  });

  it('cannot be all that a run is to forecast', async () => {
    const { api, edit } = await given();
    await edit('OLD', { replaced_by: 'NEW' });
    const { status, body } = await api.post('/runs', { config_overrides: { series: { unique_ids: ['OLD'] } } });
    const message = 'others have replaced all of these series: list those instead';
    const errors = [{ param: 'config_overrides.series.unique_ids', message }];
    expect([status, body]).toMatchObject([400, { code: 'no_usable_series', errors }]);
  });

  it('has its own accuracy in runs that forecast it, and counts for the other in later ones', async () => {
    const { api, edit } = await given();
    const cutoff = month(LAUNCH - 1);
    const settings = { ...config, cutoff, series: { unique_ids: ['OLD', 'NEW'] } };
    const past = { ...settings, cutoff: month(LAUNCH) }; // NEW has demand
    const before = await api.run({ config_overrides: past });
    await edit('OLD', { replaced_by: 'NEW' });
    const after = await api.run({ config_overrides: past });

    const errors = async (run: string): Promise<Record<string, number>> => {
      const { body } = await api.get<Accuracy>(`/runs/${run}/accuracy`);
      return Object.fromEntries(body.largest_errors.map((item) => [item.unique_id, item.absolute_error]));
    };
    const expected = async (run: string, actual: Record<string, (m: number) => number | undefined>) => {
      const sums: Record<string, number> = {};
      for (const { unique_id: id, ds, q50 } of await rows(api, run)) {
        const m = 12 * (Number(ds.slice(0, 4)) - 2020) + Number(ds.slice(5, 7)) - 1;
        const known = actual[id]!(m);
        if (known !== undefined) sums[id] = (sums[id] ?? 0) + Math.abs(q50 - known);
      }
      return Object.fromEntries(Object.entries(sums).map(([id, sum]) => [id, expect.closeTo(sum, 3)]));
    };
    expect(await errors(before.id)).toEqual(
      await expected(before.id, { NEW: newDemand, OLD: (m) => (m < LAUNCH + OVERLAP ? oldDemand(m) : undefined) }),
    );
    const ofBoth = await expected(after.id, { NEW: demand });
    expect(await errors(after.id)).toEqual(ofBoth);
    for (const replaced_by of ['OTHER', null]) {
      await edit('OLD', { replaced_by });
      expect(await errors(after.id)).toEqual(ofBoth);
    }
  });

  it('counts in all parts of a run as when the run began, whatever is replaced, or no longer replaced, meanwhile', async () => {
    const { tenant, edit } = await given();
    const { seriesIds } = await selectSeries(service.database, tenant);
    const histories = async (version: number) => {
      const selection = { seriesIds, lastMonth: 12 * 2024, demandVersion: version };
      const read = [];
      for await (const batch of streamMonthlyHistories(service.database, tenant, selection)) {
        read.push(...batch.map(({ uniqueId, replacedBy, values }) => [uniqueId, replacedBy, [...values]]));
      }
      return read;
    };
    const successors = [null, 'NEW', 'OTHER', null, 'NEW'];
    const read = [];
    for (const replaced_by of successors) {
      await edit('OLD', { replaced_by });
      const version = await demandVersion(service.database, tenant);
      read.push({ version, known: await histories(version) });
    }
    for (const { version, known } of read) expect(await histories(version)).toEqual(known);
    const ofOld = read.map(({ known }) => known.find(([id]) => id === 'OLD')![1]);
    expect(ofOld).toEqual(successors);
  });

  it('does not count for the other in earlier runs, even if they did not forecast it', async () => {
    const { api, edit } = await given();
    const run = await api.run({
      config_overrides: { ...config, cutoff: month(LAUNCH), series: { unique_ids: ['NEW'] } },
    });
    const accuracy = async () => (await api.get<Accuracy>(`/runs/${run.id}/accuracy`)).body;
    const before = await accuracy();
    await edit('OLD', { replaced_by: 'NEW' });
    expect(before.largest_errors).toHaveLength(1);
    expect(await accuracy()).toEqual(before);
  });

  it('counts for the other in the month in progress, too', async () => {
    const days = (back: number): string => new Date(TODAY.getTime() - back * 86_400_000).toISOString().slice(0, 10);
    const daily = (id: string, y: number, from: number, to: number): string[] =>
      Array.from({ length: from - to + 1 }, (_, day) => `${id},${days(from - day)},${y}\n`);
    const { tenant, api, edit } = await given(
      [HEADER, ...daily('OLD', 7, 800, 0), ...daily('NEW', 3, 100, 0), ...daily('OTHER', 5, 800, 0)].join(''),
    );
    await moveToMidday(service.database, tenant.workspaceId);
    const toDate = async (run: string) => {
      const { body } = await api.get<{ unique_id: string; month_to_date: number }[]>(`/runs/${run}/demand-sensing`);
      return Object.fromEntries(body.map((item) => [item.unique_id, item.month_to_date / TODAY.getUTCDate()]));
    };
    const before = await api.run({ config_overrides: config });
    expect(await toDate(before.id)).toEqual({ OLD: 7, NEW: 3, OTHER: 5 });
    await edit('OLD', { replaced_by: 'NEW' });
    expect(await toDate(before.id)).toEqual({ OLD: 7, NEW: 3, OTHER: 5 });
    const after = await api.run({ config_overrides: config });
    expect(await toDate(after.id)).toEqual({ NEW: 10, OTHER: 5 });
  });

  it('counts for the other in how demand accumulates within a month', async () => {
    // OLD sells on the first ten days, NEW from its launch on the last ones
    const days = (id: string, m: number, from: number): string[] =>
      months(from, from + 10).map((day) => `${id},${month(m)}-${String(day).padStart(2, '0')},5\n`);
    const old = months(0, LAUNCH).flatMap((m) => days('OLD', m, 1));
    const both = [line('OLD', LAUNCH, 9), ...months(LAUNCH, MONTHS).flatMap((m) => days('NEW', m, 19))];
    const { tenant, edit, read } = await given([HEADER, ...old, ...both].join(''));
    const { id } = await read('NEW');
    const monthsAhead = 12 * 2020 + MONTHS;
    const curve = async () => {
      const version = await demandVersion(service.database, tenant);
      const curves = await readShareCurves(service.database, tenant, { month: monthsAhead, version }, [id]);
      return curves.get(id)!.months.map((known) => known.firstDay + 1);
    };
    expect(await curve()).toEqual([19, 19, 19, 19]);
    await edit('OLD', { replaced_by: 'NEW' });
    const ofOld = Array.from({ length: 20 }, () => 1);
    expect(await curve()).toEqual([...ofOld, 19, 19, 19, 19]); // the figure of a month says nothing about its days
  });

  it('is named by the feed', async () => {
    const { tenant, edit } = await given();
    await edit('OLD', { replaced_by: 'NEW' });
    const feed = new Feed(service.url, tenant.workspaceKey);
    expect(await feed.rows('Series', { $filter: `replaced_by eq 'NEW'` })).toMatchObject([
      { unique_id: 'OLD', replaced_by: 'NEW' },
    ]);
  });
});

const withoutId = ({ unique_id, ...row }: ForecastRow): object => ({ ...row, unique_id, series_id: undefined });
