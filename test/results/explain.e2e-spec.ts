import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Comparisons } from '../../src/runs/explain/comparisons.js';
import { EngineThreads } from '../../src/runs/engine/engine-threads.js';
import { Problem } from '../../src/platform/http/problem.js';
import { Api, dailyCsv, demandCsv, pagesOf } from '../support/api.js';
import { createTenant, UNKNOWN_ID } from '../support/builders.js';
import { mostDigits } from '../support/digits.js';
import { createPastRun } from '../support/history.js';
import { eventually } from '../support/eventually.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { nthMonth } from '../support/time/nth-month.js';

type Change = { prior: number; current: number; total: number; parts: Record<string, number> };
type Explained = {
  summary: string | null;
  totals: Change | null;
  totals_pending: boolean;
  series_compared: number;
  added_total: number;
  removed_total: number;
  added: { unique_id: string }[];
  removed: { unique_id: string }[];
  series: {
    series_id: string;
    unique_id: string;
    summary: string;
    totals: Change;
    months: (Change & { period: string })[];
  }[];
};
type Row = { unique_id: string; ds: string; q50: number; final: number };

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const expectExact = (change: Change): void => {
  const size = Math.max(1, Math.abs(change.prior), Math.abs(change.current));
  expect(Math.abs(change.total - (change.current - change.prior))).toBeLessThan(1e-9 * size);
  expect(Math.abs(change.total - sum(Object.values(change.parts)))).toBeLessThan(1e-9 * size);
};

describe('the explanation of a forecast change', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  let prior: string;
  let current: string;
  /** With its totals, which come later where the machine is busy. */
  const explain = async (query = '', runs = [current, prior], reader = api): Promise<Explained> => {
    for (;;) {
      const reply = await reader.get<Explained>(`/runs/${runs[0]}/compare/${runs[1]}/forecast-explain${query}`);
      expect([reply.status, reply.body]).toMatchObject([200, {}]);
      if (!reply.body.totals_pending) return reply.body;
    }
  };
  const rows = async (run: string): Promise<Row[]> =>
    (await api.get<Row[]>(`/runs/${run}/forecasts?limit=10000&apply_overrides=true`)).body;

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await tenantWithDemand(service, demandCsv(12, 46)));
    prior = (await api.run({ config_overrides: { horizon: 12 } })).id;
    // two months more for all, one of them revised upwards, and a correction of the past of another
    await api.upload(tenant.workspaceId, demandCsv(12, 48));
    await api.upload(
      tenant.workspaceId,
      'unique_id,ds,y\nP0002,2023-11-01,400\nP0002,2023-12-01,420\nP0004,2023-09-01,10\nP0004,2023-10-01,10\n',
    );
    current = (await api.run({ config_overrides: { horizon: 12 } })).id;
    // backtests, which are larger than all the rest, are not read to explain forecasts: ten billion windows could not be
    await service.database.execute(`UPDATE forecasts SET backtest = '\\x000000205fa00242'`);
  });
  afterAll(() => service.close());

  it('splits the change of every month into parts that add up to it', async () => {
    const explained = await explain();
    expect(explained).toMatchObject({
      current_run_id: current,
      prior_run_id: prior,
      series_compared: 12,
      totals_measures: ['median'],
      added_total: 0,
      removed_total: 0,
    });
    const [before, after] = [await rows(prior), await rows(current)];
    const at = (all: Row[], uniqueId: string, ds: string): number =>
      all.find((row) => row.unique_id === uniqueId && row.ds === ds)!.q50;
    for (const series of explained.series) {
      expect(series.months.map((month) => month.period)).toEqual(
        after.filter((row) => row.unique_id === series.unique_id && row.ds <= '2024-10-01').map((row) => row.ds),
      );
      for (const month of series.months) {
        expectExact(month);
        expect(month.prior).toBe(at(before, series.unique_id, month.period));
        expect(month.current).toBe(at(after, series.unique_id, month.period));
      }
      expectExact(series.totals);
      expect(series.totals.total).toBeCloseTo(sum(series.months.map((month) => month.total)), 6);
    }
    expectExact(explained.totals!);
    expect(explained.totals!.total).toBeCloseTo(sum(explained.series.map((series) => series.totals.total)), 5);
  });

  it('attributes the change caused by days missing from a month before', async () => {
    const { tenant: late, api: reader } = await tenantWithDemand(service, dailyCsv('2022-01-01', '2023-12-09'));
    const without = await reader.run({ config_overrides: { horizon: 12 } });
    expect(without).toMatchObject({ metrics: { incomplete_month: '2023-12-01' } });
    await reader.upload(late.workspaceId, dailyCsv('2023-12-10', '2023-12-31'));
    const whole = await reader.run({ config_overrides: { horizon: 12 } });
    expect(whole).toMatchObject({ metrics: { incomplete_month: null } });
    for (const runs of [
      [whole.id, without.id],
      [without.id, whole.id],
    ]) {
      const explained = await explain('', runs, reader);
      expect(explained.series).toHaveLength(2);
      for (const { months } of explained.series) {
        expect(months.map(({ period }) => period)).toEqual(
          Array.from({ length: 11 }, (_, month) => `2024-${String(month + 1).padStart(2, '0')}-01`),
        );
        for (const month of months) expectExact(month);
      }
      expectExact(explained.totals!);
    }
  });

  it('rounds numbers, without binary rounding artifacts', async () => {
    const { series, totals } = await explain();
    expect(series).toHaveLength(12);
    expect(mostDigits(JSON.stringify(series.map(({ months }) => months)))).toBeLessThanOrEqual(9);
    expect(mostDigits(JSON.stringify([totals, ...series.map((one) => one.totals)]))).toBeLessThanOrEqual(12);
    for (const one of series) {
      for (const part of Object.keys(one.totals.parts)) {
        expect(one.totals.parts[part]).toBeCloseTo(sum(one.months.map((month) => month.parts[part]!)), 9);
      }
    }
  });

  it('attributes the change to its actual cause', async () => {
    const of = new Map((await explain()).series.map((series) => [series.unique_id, series]));
    const { parts: jump } = of.get('P0002')!.totals;
    expect(jump['new_actuals_level']! + jump['new_actuals_trend']! + jump['new_actuals_season']!).toBeGreaterThan(100);
    expect(Math.abs(jump['data_revision']!)).toBeLessThan(1e-3);
    const { parts: corrected } = of.get('P0004')!.totals;
    expect(corrected['data_revision']).toBeLessThan(-50);
    expect(of.get('P0004')!.summary).toContain('revised history');
    expect(of.get('P0002')!.summary).toMatch(/rose from [\d,]+ to [\d,]+.*new actuals moving the level/);
  });

  it('finds no change between a run and itself', async () => {
    const explained = await explain('', [current, current]);
    for (const { totals } of [...explained.series, { totals: explained.totals! }]) {
      expect(totals.total).toBe(0);
      expect(Object.values(totals.parts).every((value) => value === 0)).toBe(true);
    }
  });

  it('attributes a changed model to itself, and nothing else when nothing else changed', async () => {
    const naive = await api.run({ config_overrides: { models: ['seasonal_naive'] } });
    const { series } = await explain('', [naive.id, current]);
    expect(series.some(({ totals }) => Math.abs(totals.parts['model_change']!) > 1)).toBe(true);
    for (const { totals } of series) {
      for (const [part, value] of Object.entries(totals.parts)) {
        if (part !== 'model_change') expect(Math.abs(value)).toBeLessThan(1e-3);
      }
    }
  });

  it('includes overrides made since the prior run', async () => {
    const { series } = await explain('?series_id=P0007');
    const [first] = series[0]!.months;
    const { totals } = await explain();
    await service.database.execute(
      `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 'delta', 25, 'promotion', 'planner@example.com', now())`,
      [tenant.organizationId, tenant.workspaceId, series[0]!.series_id, first!.period],
    );
    const {
      series: [overridden],
    } = await explain('?series_id=P0007');
    expect(overridden!.months[0]!.parts['overrides']).toBeCloseTo(25, 9);
    expect(overridden!.months[0]!.total).toBeCloseTo(first!.total + 25, 9);
    expectExact(overridden!.months[0]!);
    expect((await explain()).totals!.parts['overrides']).toBeCloseTo(25, 9);
    const published = (await rows(current)).find((row) => row.unique_id === 'P0007' && row.ds === first!.period);
    expect(overridden!.months[0]!.current).toBe(published!.final);
    await service.database.execute('DELETE FROM overrides WHERE workspace_id = $1', [tenant.workspaceId]);
    expect((await explain()).totals).toEqual(totals);
  });

  it('lists series that only one of the runs forecast', async () => {
    const few = await api.run({ config_overrides: { series: { unique_ids: ['P0001', 'P0002'] } } });
    expect(await explain('', [few.id, current])).toMatchObject({
      series_compared: 2,
      added_total: 0,
      removed_total: 10,
    });
    const grown = await explain('', [current, few.id]);
    expect(grown).toMatchObject({ added_total: 10, removed: [] });
    const rest = Array.from({ length: 12 }, (_, n) => `P00${String(n).padStart(2, '0')}`);
    expect(grown.added.map(({ unique_id: id }) => id)).toEqual(rest.filter((id) => id !== 'P0001' && id !== 'P0002'));
  });

  it('has no totals where a single series is requested', async () => {
    expect(await explain('?series_id=P0007')).toMatchObject({
      summary: null,
      totals: null,
      totals_units: [],
      totals_measures: [],
      totals_pending: false,
      series_compared: 12,
      series: [{ unique_id: 'P0007' }],
    });
  });

  it('is paged by unique_id, with the same totals on every page', async () => {
    const all = await explain('?limit=200');
    const collected: unknown[] = [];
    const first = `/runs/${current}/compare/${prior}/forecast-explain?limit=5`;
    for await (const { totals, series } of pagesOf<Explained>(api, first)) {
      expect(totals).toEqual(all.totals);
      collected.push(...series);
    }
    expect(collected).toEqual(all.series);
  });

  it('omits units when two runs share no forecast month, although the series have different ones', async () => {
    const months = Array.from({ length: 24 }, (_, k) => nthMonth(2024, k));
    const rows = months.flatMap((month, k) => [`A,${month},${100 + k},kg`, `B,${month},${50 + k},pcs`]);
    const { api: reader } = await tenantWithDemand(service, `unique_id,ds,y,unit\n${rows.join('\n')}\n`);
    const run = async (cutoff?: string) =>
      (await reader.run({ config_overrides: { backtest_windows: 0, horizon: 1, ...(cutoff && { cutoff }) } })).id;
    expect(await explain('', [await run(), await run('2025-06')], reader)).toMatchObject({
      summary: 'The two runs have no forecast month in common.',
      totals: { prior: 0, current: 0, total: 0 },
      totals_units: [],
      totals_measures: [],
      series_compared: 2,
    });
  });

  it('says which months only series have whose data ended before those of the current run', async () => {
    const { tenant: late, api: reader } = await tenantWithDemand(service, demandCsv(2, 24));
    const run = async () =>
      (await reader.run({ config_overrides: { models: ['seasonal_naive'], backtest_windows: 0, horizon: 6 } })).id;
    const before = await run();
    await reader.upload(late.workspaceId, 'unique_id,ds,y\nP0000,2022-01,50\nP0000,2022-02,50\n');
    const { summary } = await explain('', [await run(), before], reader);
    expect(summary).toContain('Months up to February 2022 are only those of series whose data ended earlier.');
  });

  it('omits a deleted series from the totals although the comparison is cached', async () => {
    const { api: reader } = await tenantWithDemand(service, demandCsv(3, 24));
    const run = async (horizon: number) =>
      (await reader.run({ config_overrides: { models: ['seasonal_naive'], backtest_windows: 0, horizon } })).id;
    const runs = [await run(3), await run(2)];
    const [last] = (await explain('?series_id=P0002', runs, reader)).series;
    const before = (await explain('', runs, reader)).totals!;
    await service.database.execute('DELETE FROM series WHERE id = $1', [last!.series_id]);
    const explained = await explain('', runs, reader);
    expect(explained.series_compared).toBe(2);
    expect(explained.totals!.current).toBeCloseTo(before.current - last!.totals.current, 5);
    expectExact(explained.totals!);
  });

  it('explains series, but no totals, of more than 10,000 that both runs forecast', async () => {
    const { tenant: large, api: reader } = await tenantWithDemand(service, demandCsv(1, 24));
    const run = async (horizon: number) =>
      (await reader.run({ config_overrides: { models: ['seasonal_naive'], backtest_windows: 0, horizon } })).id;
    const runs = [await run(3), await run(2)];
    const before = await explain('', runs, reader);
    await service.database.execute(
      `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'X' || n, now(), now() FROM generate_series(1, 10000) n`,
      [large.organizationId, large.workspaceId],
    );
    const copied =
      'model, pattern, first_month, horizon, mean, quantiles, backtest, history_start, history, backtest_months';
    await service.database.execute(
      `INSERT INTO forecasts (run_id, organization_id, workspace_id, series_id, unique_id, ${copied})
       SELECT run_id, f.organization_id, workspace_id, s.id, s.unique_id, ${copied}
       FROM forecasts f JOIN series s USING (workspace_id)
       WHERE workspace_id = $1 AND f.unique_id = 'P0000' AND s.unique_id <> 'P0000'`,
      [large.workspaceId],
    );
    const after = await explain('?limit=1', runs, reader);
    expect(after).toMatchObject({ series_compared: 10_001, totals: null, summary: null, totals_pending: false });
    expect([after.series, before.totals === null]).toEqual([before.series, false]);
    const ofCategory = await explain('?category=Tea', runs, reader);
    expect(ofCategory).toMatchObject({ series_compared: 0, totals: null, summary: null });
  });

  it('returns the page at once when totals take long, and the totals once available', async () => {
    const comparisons = service.app.get(Comparisons);
    const real = comparisons.whole.bind(comparisons);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const slow = jest.spyOn(comparisons, 'whole').mockImplementation(async (...parameters) => {
      await held;
      return real(...parameters);
    });
    const path = `/runs/${current}/compare/${prior}/forecast-explain?limit=5`;
    const early = await api.get<Explained>(path);
    release();
    expect(early.body).toMatchObject({ totals: null, summary: null, totals_pending: true });
    expect(early.body.series).toHaveLength(5);
    expect(early.headers.get('retry-after')).toBe('60');
    slow.mockRestore();
    const late = await explain('?limit=5');
    expect(late).toMatchObject({ totals: {}, totals_pending: false });
    expect(late.series).toEqual(early.body.series);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['cursor=x', 'cursor'],
    ['part=overrides', 'part'],
  ])('refuses %s naming %s', async (query, param) => {
    expect(await api.get(`/runs/${current}/compare/${prior}/forecast-explain?${query}`)).toMatchObject({
      status: 400,
      body: { errors: [{ param }] },
    });
  });

  it('refuses runs of different workspaces or another tenant, and unfinished runs', async () => {
    const other = await createTenant(service);
    const foreign = new Api(service.url, other.organizationKey);
    for (const runs of [
      [current, prior],
      [UNKNOWN_ID, 'nonsense'],
    ]) {
      expect(await foreign.get(`/runs/${runs[0]}/compare/${runs[1]}/forecast-explain`)).toMatchObject({
        status: 404,
        body: { detail: 'The run does not exist.' },
      });
    }
    const canceled = await createPastRun(service.database, tenant, { status: 'canceled', finishedAt: new Date() });
    for (const runs of [
      [current, canceled],
      [canceled, prior],
    ]) {
      const early = await api.get(`/runs/${runs[0]}/compare/${runs[1]}/forecast-explain`);
      expect([early.status, early.body['code']]).toEqual([409, 'run_not_completed']);
    }
    expect((await api.get(`/runs/${current}/compare/${prior}/forecast-explain?series_id=NONE`)).status).toBe(404);
    // a second workspace of the same organization
    const sibling = await createTenant(service);
    await service.database.execute('UPDATE workspaces SET organization_id = $1 WHERE id = $2', [
      tenant.organizationId,
      sibling.workspaceId,
    ]);
    const wide = new Api(service.url, tenant.organizationKey);
    await wide.upload(sibling.workspaceId, demandCsv(1, 24));
    const elsewhere = await wide.run({ workspace_id: sibling.workspaceId });
    expect(await wide.get(`/runs/${current}/compare/${elsewhere.id}/forecast-explain`)).toMatchObject({
      status: 400,
      body: { code: 'runs_not_comparable', errors: [{ param: 'prior' }] },
    });
  });
});

describe('workspace totals', () => {
  it('are computed despite any number of other explanations requested meanwhile', async () => {
    const service = await startTestService();
    try {
      const { api } = await tenantWithDemand(service, demandCsv(2, 36));
      const [prior, current] = [await api.run({}), await api.run({})];
      const engine = service.app.get(EngineThreads);
      const explain = engine.explain.bind(engine);
      // all others wait so long for their turn that they are refused
      jest
        .spyOn(engine, 'explain')
        .mockImplementation((task, patient) =>
          patient ? explain(task, patient) : Promise.reject(Problem.notReady('The service is busy.')),
        );
      await eventually('they are returned', async () => {
        const { body } = await api.get<Explained>(`/runs/${current.id}/compare/${prior.id}/forecast-explain`);
        return body.totals ?? undefined;
      });
    } finally {
      await service.close();
    }
  });
});

describe('an explanation requested while the process shuts down', () => {
  it('is refused with Retry-After, whether it has started or not', async () => {
    const service = await startTestService();
    try {
      const { api } = await tenantWithDemand(service, demandCsv(2, 36));
      const [prior, current] = [await api.run({}), await api.run({})];
      const engine = service.app.get(EngineThreads);
      const explain = engine.explain.bind(engine);
      const begun = jest.spyOn(engine, 'explain').mockImplementation((task) => {
        const explained = explain(task);
        void engine.abandon(); // as a stop does that waits in vain for the pieces of runs
        return explained;
      });
      for (const query of ['', '?series_id=P0001']) {
        const path = `/runs/${current.id}/compare/${prior.id}/forecast-explain${query}`;
        const { status, headers, body } = await api.get(path);
        expect([status, headers.get('retry-after'), body['code']]).toEqual([503, '5', 'not_ready']);
      }
      expect(begun).toHaveBeenCalledTimes(2);
    } finally {
      await service.close();
    }
  });
});
