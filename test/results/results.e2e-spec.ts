import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Api, dailyCsv, demandCsv, pagesOf } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant, UNKNOWN_ID } from '../support/builders.js';
import { mostDigits } from '../support/digits.js';
import { countLockWaiters, holdRows } from '../support/held-rows.js';
import { createPastRun } from '../support/history.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { nthMonth } from '../support/time/nth-month.js';

type Row = { unique_id: string; ds: string; q10: number; q50: number; q90: number; mean: number };
type Stock = {
  safety_stock: number;
  reorder_point: number;
  lead_time_demand: number;
  assumptions: string[];
  service_level: number;
  warnings: string[];
};
type SeriesItem = { id: string; unique_id: string };
type Metrics = Record<'wape' | 'mase' | 'rmsse' | 'coverage' | 'skill', number | null> & {
  backtest_months: number;
};
type SeriesMetrics = Metrics & { series_id: string; unique_id: string; model: string; demand_pattern: string };

const ODD = 'Ünit/50 % "A&B" <x>';

/** Months with orders of the rare series: in no cycle, which would be forecast as one. */
const ORDERED = new Set([1, 4, 11, 13, 20, 22, 29, 36, 39, 45]);

/** Demand with an odd identifier, a product name and a missing month; one that is mostly zero; and one that ended long ago. */
function extraCsv(): string {
  const month = (index: number): string => nthMonth(2020, index);
  const months = Array.from({ length: 48 }, (_, index) => index);
  const odd = months
    .filter((index) => index !== 40)
    .map(
      (index) =>
        `"${ODD.replaceAll('"', '""')}",${month(index)},${300 + 5 * index + ((index * 31) % 7)},Mug <large> & lid,pieces`,
    );
  const rare = months.map((index) => `RARE,${month(index)},${ORDERED.has(index) ? 1 + (index % 3) : 0},,`);
  const ended = months.slice(0, 24).map((index) => `ENDED,${month(index)},${80 + ((index * 13) % 9)},,crates`);
  return `unique_id,ds,y,product_name,unit\n${[...odd, ...rare, ...ended].join('\n')}\n`;
}

describe('results for one series', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  let runId: string;
  let rows: Row[];

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await tenantWithDemand(service, demandCsv(30, 48)));
    expect((await api.upload(tenant.workspaceId, extraCsv())).status).toBe(200);
    runId = (await api.run({ config_overrides: { horizon: 6 } })).id;
    rows = (await api.get<Row[]>(`/runs/${runId}/forecasts?limit=10000`)).body;
  });
  afterAll(() => service.close());

  describe('safety stock', () => {
    const stock = async (query = '', series = 'P0003'): Promise<Stock> => {
      const reply = await api.get<Stock>(`/runs/${runId}/safety-stock/${series}${query}`);
      expect([reply.status, reply.body]).toMatchObject([200, {}]);
      return reply.body;
    };

    it('defaults to a lead time of one month at 95 %', async () => {
      const advice = await stock();
      expect(advice).toMatchObject({
        run_id: runId,
        unique_id: 'P0003',
        lead_time: 1,
        lead_time_sd: 0,
        service_level: 0.95,
        method: 'gamma',
        demand_pattern: 'smooth',
        unit: null,
      });
      expect(advice.safety_stock).toBeGreaterThan(0);
      expect(advice.reorder_point).toBe(Number((advice.lead_time_demand + advice.safety_stock).toPrecision(7)));
      const first = rows.find((row) => row.unique_id === 'P0003')!;
      expect(advice.lead_time_demand).toBeGreaterThan(first.q10);
      expect(advice.lead_time_demand).toBeLessThan(first.q90);
      expect(advice).toEqual(await stock('?lead_time=1.0&service_level=0.95'));
    });

    it('increases with service level and lead time', async () => {
      const levels = await Promise.all([0.5, 0.8, 0.95, 0.99, 0.999].map((level) => stock(`?service_level=${level}`)));
      for (const [index, advice] of levels.slice(1).entries())
        expect(advice.safety_stock).toBeGreaterThan(levels[index]!.safety_stock);
      expect(levels.at(-1)!.warnings).toContainEqual(expect.stringContaining('extrapolates'));
      const times = await Promise.all([0.25, 1, 1.5, 3, 6].map((leadTime) => stock(`?lead_time=${leadTime}`)));
      for (const [index, advice] of times.slice(1).entries())
        expect(advice.reorder_point).toBeGreaterThan(times[index]!.reorder_point);
    });

    it('increases with the variation of lead times', async () => {
      const [certain, varying] = await Promise.all([0, 0.5].map((sd) => stock(`?lead_time=2&lead_time_sd=${sd}`)));
      expect(varying).toMatchObject({ lead_time: 2, lead_time_sd: 0.5 });
      expect(varying!.safety_stock).toBeGreaterThan(2 * certain!.safety_stock);
      expect(varying!.assumptions).toContainEqual(expect.stringContaining('standard deviation of 0.5 months'));
      expect(await stock('?lead_time=2')).toEqual(certain);
    });

    it('counts intermittent demand in whole pieces', async () => {
      const advice = await stock('?service_level=0.9', 'RARE');
      expect(advice).toMatchObject({ method: 'negative_binomial' });
      expect(Math.abs(advice.reorder_point - Math.round(advice.reorder_point))).toBeLessThan(1e-9);
    });

    it.each([
      ['lead_time=0', 'lead_time'],
      ['lead_time=-1', 'lead_time'],
      ['lead_time=6.01', 'lead_time'],
      ['lead_time=37', 'lead_time'],
      ['lead_time=two', 'lead_time'],
      ['lead_time=', 'lead_time'],
      ['lead_time=NaN', 'lead_time'],
      ['lead_time=1e999', 'lead_time'],
      ['lead_time=1&lead_time=2', 'lead_time'],
      ['lead_time_sd=-0.1', 'lead_time_sd'],
      ['lead_time_sd=a week', 'lead_time_sd'],
      ['lead_time_sd=37', 'lead_time_sd'],
      ['lead_time=0.5&lead_time_sd=0.6', 'lead_time_sd'],
      ['lead_time=5&lead_time_sd=0.51', 'lead_time_sd'],
      ['service_level=.499', 'service_level'],
      ['service_level=.9991', 'service_level'],
      ['service_level=95', 'service_level'],
      ['service_level=high', 'service_level'],
      ['level=0.9', 'level'],
    ])('refuses %s naming %s', async (query, param) => {
      expect(await api.get(`/runs/${runId}/safety-stock/P0003?${query}`)).toMatchObject({
        status: 400,
        body: { errors: [{ param }] },
      });
    });

    it('has seven significant digits, like forecast rows, and handles a single month', async () => {
      const advice = await stock();
      const { safety_stock, reorder_point, lead_time_demand } = advice;
      for (const value of [safety_stock, reorder_point, lead_time_demand]) {
        expect(value).toBe(Number(value.toPrecision(7)));
      }
      expect(JSON.stringify(advice)).toContain('(1 month)');
    });

    it.each([
      'lead_time=6',
      'lead_time=0.001',
      'lead_time=5&lead_time_sd=0.5',
      'service_level=.5',
      'service_level=.999',
    ])('accepts the bound %s', async (query) => {
      expect((await stock(`?${query}`)).safety_stock).toBeGreaterThanOrEqual(0);
    });
  });

  describe('plain-language forecast', () => {
    it('describes estimates, trend and accuracy in a sentence, by id or unique_id', async () => {
      const { body: series } = await api.get<SeriesItem[]>('/series');
      const odd = series.find((item) => item.unique_id === ODD)!;
      const reply = await api.get(`/series/${encodeURIComponent(ODD)}/forecast?run_id=${runId}`);
      expect(reply.status).toBe(200);
      const [first] = rows.filter((row) => row.unique_id === ODD);
      expect(reply.body).toMatchObject({
        series_id: odd.id,
        unique_id: ODD,
        product_name: 'Mug <large> & lid',
        unit: 'pieces',
        period: first!.ds,
        best_estimate: first!.q50,
        low_estimate: first!.q10,
        high_estimate: first!.q90,
        mean: first!.mean,
        run_id: runId,
      });
      expect(reply.body['months']).toEqual(
        rows
          .filter((row) => row.unique_id === ODD)
          .map((row) => ({
            period: row.ds,
            best_estimate: row.q50,
            low_estimate: row.q10,
            high_estimate: row.q90,
            mean: row.mean,
          })),
      );
      expect(reply.body['summary']).toMatch(/pieces in January 2024.*Demand is growing/);
      expect(['growth', 'strong_growth']).toContain(reply.body['trend_label']);
      expect(reply.body['accuracy_score']).toBeGreaterThan(80);
      expect((await api.get(`/series/${odd.id}/forecast?run_id=${runId}`)).body).toEqual(reply.body);
    });

    it('gives the trend label that the series had when the run completed', async () => {
      const finished = Date.parse(String((await api.get(`/runs/${runId}`)).body['finished_at']));
      const { body: series } = await api.get<SeriesItem[]>('/series');
      const idOf = (uniqueId: string) => series.find((item) => item.unique_id === uniqueId)!.id;
      const change = (uniqueId: string, minutes: number, previous: string, label: string) =>
        service.database.execute(
          `INSERT INTO trend_changes (id, organization_id, workspace_id, series_id, previous_label, label, run_id, changed_at)
           VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7)`,
          [
            ...[tenant.organizationId, tenant.workspaceId, idOf(uniqueId), previous, label, runId],
            new Date(finished + minutes * 60_000),
          ],
        );
      const labelled = async () => (await api.get(`/series/ENDED/forecast?run_id=${runId}`)).body['trend_label'];
      try {
        await change('RARE', -1, 'growth', 'strong_growth');
        await change('RARE', 1, 'strong_growth', 'growth');
        await change('ENDED', 3, 'decline', 'stable');
        await change('ENDED', 2, 'strong_decline', 'decline');
        expect(await labelled()).toBe('strong_decline');
        await change('ENDED', -2, 'growth', 'insufficient_data');
        await change('ENDED', 0, 'insufficient_data', 'intermittent');
        expect(await labelled()).toBe('intermittent');
      } finally {
        await service.database.execute('DELETE FROM trend_changes WHERE workspace_id = $1', [tenant.workspaceId]);
      }
    });

    it('sums intermittent demand over its months', async () => {
      const { body } = await api.get<{ summary: string; months: { mean: number }[] }>(
        `/series/RARE/forecast?run_id=${runId}`,
      );
      const total = body.months.reduce((sum, month) => sum + month.mean, 0);
      expect(total).toBeGreaterThan(0.5);
      expect(body.summary).toMatch(/Expect about \d+(\.\d+)? in the next 6 months altogether\./);
    });

    it('states the age of a series when the run has newer data', async () => {
      const warning = 'The last data are from December 2021, 24 months before the newest month of the run.';
      const { body } = await api.get<{ summary: string }>(`/series/ENDED/forecast?run_id=${runId}`);
      expect(body.summary).toContain(warning);
      const { body: stock } = await api.get<Stock>(`/runs/${runId}/safety-stock/ENDED`);
      expect(stock.warnings).toContain(warning);
      const { body: run } = await api.get<{ metrics: object }>(`/runs/${runId}`);
      expect(run.metrics).toMatchObject({ newest_month: '2023-12-01', stale_series: 1 });
    });

    it('states the last day of a newest month recorded by day, without a monthly figure', async () => {
      const months = ['2023-09', '2023-10', '2023-11', '2023-12'].map((month, k) => `MONTHLY,${month},${100 + k}`);
      const days = ['2023-11-28', '2023-11-30', '2023-12-01', '2023-12-09'].map((day) => `DAILY,${day},7`);
      const { api: reader } = await tenantWithDemand(service, `unique_id,ds,y\n${[...months, ...days].join('\n')}\n`);
      const newest = async (config_overrides: object): Promise<unknown> => {
        const { newest_month, newest_day } = (await reader.run({ config_overrides })).metrics as Record<
          string,
          unknown
        >;
        return { newest_month, newest_day };
      };
      expect(await newest({})).toEqual({ newest_month: '2023-12-01', newest_day: '2023-12-09' });
      expect(await newest({ cutoff: '2023-11' })).toEqual({ newest_month: '2023-11-01', newest_day: '2023-11-30' });
      expect(await newest({ cutoff: '2023-10' })).toEqual({ newest_month: '2023-10-01', newest_day: null });
      const monthly = { unique_ids: ['MONTHLY'] };
      expect(await newest({ series: monthly })).toEqual({ newest_month: '2023-12-01', newest_day: null });
    });

    it('treats a first-of-month or zero-filled month as a monthly figure, but the first day of a series as a day', async () => {
      const rows = (uniqueId: string, days: readonly string[]) => days.map((day) => `${uniqueId},${day},7`);
      const newestDay = async (lines: readonly string[]): Promise<unknown> => {
        const tenant = await createTenant(service);
        const reader = new Api(service.url, tenant.workspaceKey);
        await reader.upload(`${tenant.workspaceId}&fill=zero`, `unique_id,ds,y\n${lines.join('\n')}\n`);
        return ((await reader.run({})).metrics as Record<string, unknown>)['newest_day'];
      };
      expect(await newestDay(rows('FIRSTS', ['2023-09-01', '2023-10-01', '2023-11-01', '2023-12-01']))).toBeNull();
      expect(await newestDay([...rows('FIGURES', ['2023-09', '2023-12']), ...rows('ENDED', ['2023-11'])])).toBeNull();
      expect(await newestDay(rows('DAYS', ['2023-09-14', '2023-11-29', '2023-12-01']))).toBe('2023-12-01');
    });

    it('has no accuracy score without a backtest', async () => {
      const run = await api.run({ config_overrides: { backtest_windows: 0, horizon: 2 } });
      expect((await api.get(`/series/P0001/forecast?run_id=${run.id}`)).body).toMatchObject({
        accuracy_score: null,
        months: [{}, {}],
      });
    });

    it('has an accuracy score of 0 where errors exceed demand', async () => {
      const ending = Array.from({ length: 60 }, (_, index) => {
        const month = `${2020 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
        return `ENDING,${month},${index < 48 ? 100 : 1}`;
      });
      const { api: own } = await tenantWithDemand(service, ['unique_id,ds,y', ...ending].join('\n'));
      const run = await own.run({ config_overrides: { horizon: 12 } });
      expect((await own.get<SeriesMetrics[]>(`/runs/${run.id}/series-metrics`)).body[0]!.wape).toBeGreaterThan(1);
      expect((await own.get(`/series/ENDING/forecast?run_id=${run.id}`)).body).toMatchObject({ accuracy_score: 0 });
    });

    it('draws history and fan chart as a self-contained image with a text alternative', async () => {
      const reply = await api.get<string>(`/series/${encodeURIComponent(ODD)}/forecast?run_id=${runId}`, {
        accept: 'image/svg+xml',
      });
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect(reply.body).toContain('<title id="title">Demand forecast: Mug &lt;large&gt; &amp; lid</title>');
      expect(reply.body).toContain('Demand forecast: <tspan class="name">Mug &lt;large&gt; &amp; lid</tspan></text>');
      expect(reply.body).toContain('.name{unicode-bidi:plaintext}'); // names of other directions of writing
      expect(reply.body).toMatch(/<desc id="desc">Expect about .* pieces in January 2024/);
      expect(reply.body).toContain(' the forecast from January 2024 to June 2024 with its ranges.');
      expect(reply.body).not.toMatch(/href|<script|url\(|NaN|Infinity/);
      expect(reply.body.match(/class="band"/g)).toHaveLength(5); // four pairs of quantiles and the legend
      expect(reply.body.match(/<polyline class="history"/g)).toHaveLength(2); // the missing month interrupts the line
    });

    it('draws the mean when medians are 0 despite demand', async () => {
      const draw = async (id: string): Promise<string> =>
        (await api.get<string>(`/series/${id}/forecast?run_id=${runId}`, { accept: 'image/svg+xml' })).body;
      const rare = await draw('RARE');
      expect(rare).toMatch(/<polyline class="mean".*Mean \(adds up\)/);
      expect(rare).toContain('The dashed line is the mean');
      expect(await draw(encodeURIComponent(ODD))).not.toMatch(/<polyline class="mean"|adds up|dashed/);
    });

    it.each([
      ['', 'run_id'],
      ['?run_id=', 'run_id'],
      ['?run_id=RUN&run_id=RUN', 'run_id'],
      ['?run_id=RUN&horizon=3', 'horizon'],
    ])('refuses %s naming %s', async (query, param) => {
      expect(await api.get(`/series/P0003/forecast${query.replaceAll('RUN', runId)}`)).toMatchObject({
        status: 400,
        body: { errors: [{ param }] },
      });
    });

    it('ignores the parameters of accepted media types', async () => {
      for (const [path, accept, type] of [
        [`/runs/${runId}/forecasts?limit=1`, 'application/json; charset=utf-8', 'application/json'],
        [`/runs/${runId}/forecasts?limit=1`, 'text/csv; charset=utf-8', 'text/csv'],
        [`/series/P0003/forecast?run_id=${runId}`, 'application/json;odata=verbose', 'application/json'],
      ] as const) {
        const reply = await api.get(path, { accept });
        expect([reply.status, reply.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
      }
    });

    it('answers 406 for an unsupported type', async () => {
      expect(await api.get(`/series/P0003/forecast?run_id=${runId}`, { accept: 'text/html' })).toMatchObject({
        status: 406,
        body: { code: 'not_acceptable' },
      });
    });
  });

  describe('series metrics', () => {
    const at = (query = ''): string => `/runs/${runId}/series-metrics${query}`;

    it('add up to the metrics of the run', async () => {
      const { body: run } = await api.get<{ metrics: Metrics & Record<'models' | 'patterns', object> }>(
        `/runs/${runId}`,
      );
      const { status, body: all } = await api.get<SeriesMetrics[]>(at());
      expect([status, all.map((series) => series.unique_id)]).toEqual([
        200,
        [...new Set(rows.map((row) => row.unique_id))],
      ]);
      const { metrics } = run;
      const counted = (values: string[]): object =>
        Object.fromEntries(
          Object.entries(Object.groupBy(values, (value) => value)).map(([name, of]) => [name, of!.length]),
        );
      expect(counted(all.map((series) => series.model))).toEqual(metrics.models);
      expect(counted(all.map((series) => series.demand_pattern))).toEqual(metrics.patterns);
      const sum = (value: (series: SeriesMetrics) => number): number =>
        all.reduce((total, own) => total + value(own), 0);
      expect(sum((series) => series.backtest_months)).toBe(metrics.backtest_months);
      const covered = sum((series) => (series.coverage ?? 0) * series.backtest_months);
      expect(covered / metrics.backtest_months).toBeCloseTo(metrics.coverage!, 9);
      const scaled = all.filter((series) => series.mase !== null); // one window each
      expect(scaled.length).toBeGreaterThan(30);
      expect(sum((series) => series.mase ?? 0) / scaled.length).toBeCloseTo(metrics.mase!, 9);
    });

    it('are paged, or those of one series, by id or unique_id', async () => {
      const whole = (await api.get<SeriesMetrics[]>(at())).body;
      const paged: SeriesMetrics[] = [];
      for await (const page of pagesOf<SeriesMetrics[]>(api, at('?limit=7'))) paged.push(...page);
      expect(paged).toEqual(whole);
      const odd = whole.find((series) => series.unique_id === ODD)!;
      expect(odd).toMatchObject({ product_name: 'Mug <large> & lid' });
      for (const name of [odd.series_id, encodeURIComponent(ODD)])
        expect((await api.get(at(`?series_id=${name}`))).body).toEqual([odd]);
      const { body: words } = await api.get(`/series/${odd.series_id}/forecast?run_id=${runId}`);
      expect(words['accuracy_score']).toBeCloseTo(100 * (1 - odd.wape!), 4);
    });

    it('are those stored with the forecasts, and read from backtests only for runs of an earlier release', async () => {
      const run = await api.run({ config_overrides: { horizon: 3 } });
      const seriesMetrics = async () => (await api.get<SeriesMetrics[]>(`/runs/${run.id}/series-metrics`)).body;
      const before = await seriesMetrics();
      const update = (assignments: string, which: string) =>
        service.database.execute(`UPDATE forecasts SET ${assignments} WHERE run_id = $1 AND unique_id ${which}`, [
          run.id,
        ]);
      const stored = [
        'wape',
        'mase',
        'rmsse',
        'bias',
        'mean_weighted_quantile_loss',
        'coverage',
        'skill',
        'backtest_months',
      ];
      expect(await update(`backtest = ''`, `< 'P0010'`)).toBeGreaterThan(5);
      expect(await update(stored.map((name) => `${name} = NULL`).join(', '), `>= 'P0010'`)).toBeGreaterThan(5);
      expect(await seriesMetrics()).toEqual(before);
    });

    it('are null without a backtest', async () => {
      const run = await api.run({
        config_overrides: { backtest_windows: 0, horizon: 1, series: { unique_ids: ['P0001'] } },
      });
      const { body } = await api.get(`/runs/${run.id}/series-metrics`);
      expect(body).toMatchObject([{ unique_id: 'P0001', wape: null, mase: null, coverage: null, backtest_months: 0 }]);
    });

    it('are refused for an unfinished run, and 404 for unknown or foreign ones', async () => {
      const canceled = await createPastRun(service.database, tenant, { status: 'canceled', finishedAt: new Date() });
      expect((await api.get(`/runs/${canceled}/series-metrics`)).body).toMatchObject({ code: 'run_not_completed' });
      expect((await api.get(at('?series_id=NOTHING'))).body).toMatchObject({ status: 404, code: 'not_found' });
      expect((await api.get(at('?limit=501'))).body).toMatchObject({ status: 400, errors: [{ param: 'limit' }] });
      const other = new Api(service.url, (await createTenant(service)).organizationKey);
      expect((await other.get(at())).body).toMatchObject({ status: 404, code: 'not_found' });
    });
  });

  describe('a last month that lacks its last days', () => {
    let reader: Api;
    let workspaceId: string;
    /** Which data a run knew, by its metrics. */
    const known = async (config_overrides: object): Promise<unknown> => {
      const run = await reader.run({ config_overrides });
      const { newest_month, newest_day, incomplete_month } = run['metrics'] as Record<string, unknown>;
      return { newest_month, newest_day, incomplete_month };
    };
    const LEFT_OUT = { newest_month: '2023-11-01', newest_day: '2023-11-30', incomplete_month: '2023-12-01' };
    beforeEach(async () => {
      const { tenant: fresh, api: ofTenant } = await tenantWithDemand(service, dailyCsv('2023-01-01', '2023-12-09'));
      [reader, workspaceId] = [ofTenant, fresh.workspaceId];
    });

    it('is left out of a run, which reports and forecasts it, unless it is the cutoff', async () => {
      expect(await known({})).toEqual(LEFT_OUT);
      const { id } = await reader.run({ config_overrides: { horizon: 1 } });
      const { body } = await reader.get<Row[]>(`/runs/${id}/forecasts`);
      expect(body.map(({ unique_id, ds }) => [unique_id, ds])).toEqual([
        ['A', '2023-12-01'],
        ['B', '2023-12-01'],
      ]);
      const whole = { newest_month: '2023-12-01', newest_day: '2023-12-09', incomplete_month: null };
      expect(await known({ cutoff: '2023-12' })).toEqual(whole);
    });

    it('is left out of a run of some series too, although theirs is complete', async () => {
      await reader.upload(workspaceId, 'unique_id,ds,y\nFIGURES,2023-10,9\nFIGURES,2023-12,9\n');
      const config_overrides = { series: { unique_ids: ['FIGURES'] } };
      expect(await known(config_overrides)).toEqual({ ...LEFT_OUT, newest_month: '2023-11-01', newest_day: null });
    });

    it('counts once its last days are uploaded', async () => {
      await reader.upload(workspaceId, dailyCsv('2023-12-10', '2023-12-31'));
      const whole = { newest_month: '2023-12-01', newest_day: '2023-12-31', incomplete_month: null };
      expect(await known({})).toEqual(whole);
    });

    it('is not used to measure accuracy before its last days are uploaded', async () => {
      const run = await reader.run({ config_overrides: { cutoff: '2023-10' } });
      const to = async () => (await reader.get<{ to: string }>(`/runs/${run.id}/accuracy`)).body.to;
      expect(await to()).toBe('2023-11-01');
      await reader.upload(workspaceId, dailyCsv('2023-12-10', '2023-12-31'));
      expect(await to()).toBe('2023-12-01');
    });

    it('is named when a run has too little demand without it, and nothing is charged', async () => {
      expect(await reader.post('/runs', { config_overrides: { min_history: 12 } })).toMatchObject({
        status: 400,
        body: {
          code: 'no_usable_series',
          detail: expect.stringContaining(
            'December 2023 lacks its last days and is left out; to use it, set it as the cutoff.',
          ),
          errors: [{ param: 'config_overrides.min_history' }, { param: 'config_overrides.cutoff' }],
        },
      });
      expect((await reader.run({ config_overrides: { min_history: 12, cutoff: '2023-12' } })).status).toBe('completed');
    });
  });

  describe('days that were not uploaded', () => {
    const SKIPPED = [{ from: '2023-11-06', to: '2023-11-15' }];
    let reader: Api;
    let workspaceId: string;
    beforeEach(async () => {
      const { tenant: fresh, api: ofTenant } = await tenantWithDemand(service, dailyCsv('2021-01-01', '2023-11-05'));
      [reader, workspaceId] = [ofTenant, fresh.workspaceId];
      await reader.upload(workspaceId, dailyCsv('2023-11-16', '2023-12-31'));
    });
    const missing = async (config_overrides: object): Promise<unknown> =>
      ((await reader.run({ config_overrides }))['metrics'] as Record<string, unknown>)['missing_days'];
    const alerts = async () => (await reader.get<{ period: string; message: string }[]>('/alerts')).body;

    it('are named by the run and in the alerts that they raise', async () => {
      expect(await missing({ cutoff: '2023-11' })).toEqual(SKIPPED);
      const raised = (await alerts()).filter(({ period }) => period === '2023-11-01');
      expect(raised).toHaveLength(2);
      for (const { message } of raised)
        expect(message).toMatch(
          / expected\. No series has demand on record from 6 November 2023 to 15 November 2023: check whether these days were uploaded\.$/,
        );
    });

    it('are named as long as they are within the last three months, and not once they are uploaded', async () => {
      expect(await missing({ cutoff: '2023-10' })).toEqual([]);
      expect(await missing({})).toEqual(SKIPPED);
      await reader.upload(workspaceId, dailyCsv('2023-11-06', '2023-11-15'));
      expect(await missing({})).toEqual([]);
    });
  });

  describe('forecast accuracy', () => {
    type Accuracy = Record<'from' | 'to', string | null> &
      Record<'series' | 'months' | 'wape' | 'bias' | 'coverage' | 'skill', number> & {
        by_month: { ds: string; series: number; wape: number }[];
        largest_errors: { unique_id: string; absolute_error: number; wape: number }[];
        overrides: { months: number; wape: number; final_wape: number; value_added: number };
      };
    let pastRun: string;
    let past: Row[];
    const accuracyOf = async (run: string, query = ''): Promise<Accuracy> =>
      (await api.get<Accuracy>(`/runs/${run}/accuracy${query}`)).body;
    beforeAll(async () => {
      const config_overrides = { cutoff: '2023-06', horizon: 9, backtest_windows: 0 };
      pastRun = (await api.run({ config_overrides })).id;
      past = (await api.get<Row[]>(`/runs/${pastRun}/forecasts?limit=10000`)).body;
    });

    it('is measured month by month against demand stored since', async () => {
      const { body: stored } = await api.get<{ month: string; y: number }[]>(`/series/P0004/actuals?from=2023-07`);
      const pairs = past
        .filter(({ unique_id }) => unique_id === 'P0004')
        .flatMap((row) => stored.filter(({ month }) => month === row.ds).map(({ y }) => ({ ...row, y })));
      expect(pairs).toHaveLength(6); // the run has forecast nine months
      const sum = (value: (pair: (typeof pairs)[number]) => number) =>
        pairs.reduce((total, pair) => total + value(pair), 0);
      const demand = sum(({ y }) => y);

      const own = await accuracyOf(pastRun, '?series_id=P0004');
      expect(own).toMatchObject({ from: '2023-07-01', to: '2023-12-01', series: 1, months: 6 });
      expect(own.wape).toBeCloseTo(sum(({ q50, y }) => Math.abs(q50 - y)) / demand, 9);
      expect(own.bias).toBeCloseTo(sum(({ mean, y }) => mean - y) / demand, 9);
      expect(own.coverage).toBeCloseTo(sum(({ q10, q90, y }) => Number(y >= q10 && y <= q90)) / 6, 9);
      expect(own.by_month.map(({ ds, series }) => [ds, series])).toEqual(pairs.map(({ ds }) => [ds, 1]));
      expect(own.by_month[2]!.wape).toBeCloseTo(Math.abs(pairs[2]!.q50 - pairs[2]!.y) / pairs[2]!.y, 9);
      expect(own.overrides).toEqual({ months: 0, wape: null, final_wape: null, value_added: null });
    });

    it('covers exactly the series with demand since', async () => {
      const whole = await accuracyOf(pastRun);
      expect(whole).toMatchObject({ run_id: pastRun, series: 32, months: 192 }); // ENDED has none
      expect(whole.by_month.map(({ series }) => series)).toEqual([32, 32, 32, 32, 32, 32]);
      expect(whole.skill).toBeGreaterThan(0);
    });

    it('names the ten series with the largest errors, largest first', async () => {
      const { largest_errors: largest } = await accuracyOf(pastRun);
      expect(largest).toHaveLength(10);
      const errors = largest.map(({ absolute_error }) => absolute_error);
      expect(errors).toEqual(errors.toSorted((a, b) => b - a));
      expect(mostDigits(JSON.stringify(errors))).toBeLessThanOrEqual(7);
      const everyOne = await Promise.all(
        [...new Set(past.map(({ unique_id }) => unique_id))].map(async (unique_id) => {
          const own = await accuracyOf(pastRun, `?series_id=${encodeURIComponent(unique_id)}`);
          return own.largest_errors;
        }),
      );
      const all = everyOne.flat().toSorted((a, b) => b.absolute_error - a.absolute_error);
      expect(largest).toEqual(all.slice(0, 10));
      const odd = all.find(({ unique_id }) => unique_id === ODD);
      expect(odd).toMatchObject({ product_name: 'Mug <large> & lid', unit: 'pieces', months: 6 });
      expect(odd!.wape).toBeCloseTo((await accuracyOf(pastRun, `?series_id=${encodeURIComponent(ODD)}`)).wape, 12);
    });

    it('shows whether overrides made in advance improved it', async () => {
      const ofSeries = past.filter(({ unique_id }) => unique_id === 'P0007');
      const { body: stored } = await api.get<{ y: number }[]>(`/series/P0007/actuals?from=2023-07`);
      const { body: series } = await api.get<SeriesItem[]>('/series?unique_id=P0007');
      const override = (month: string, value: number, createdAt: string, expiresAt?: string, endedAt?: string) =>
        service.database.execute(
          `INSERT INTO overrides
             (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at, expires_at, ended_at)
           VALUES (gen_random_uuid(), $1, $2, $3, $4, 'absolute', $5, 'promotion', 'planner@example.com', $6, $7, $8)`,
          [tenant.organizationId, tenant.workspaceId, series[0]!.id, month, value, createdAt, expiresAt, endedAt],
        );
      const [july, august] = [stored[0]!, stored[1]!];
      await override('2023-07-01', july.y, '2023-06-30T23:59:00Z');
      await override('2023-08-01', 10 * august.y, '2023-08-01T00:01:00Z'); // in the month itself: it may have been known
      await override('2023-09-01', 1, '2023-06-30T23:59:00Z', '2023-08-30T23:59:00Z'); // expired before the month
      await override('2023-10-01', 1, '2023-06-30T23:59:00Z', undefined, '2023-09-29T23:59:00Z'); // withdrawn before it
      const { overrides } = await accuracyOf(pastRun, '?series_id=P0007');
      const error = Math.abs(ofSeries[0]!.q50 - july.y);
      expect(overrides).toMatchObject({ months: 1, final_wape: 0, value_added: 1 });
      expect(overrides.wape).toBeCloseTo(error / july.y, 9);

      const moveTo = (zone: string) =>
        service.database.execute('UPDATE workspaces SET time_zone = $2 WHERE id = $1', [tenant.workspaceId, zone]);
      await moveTo('Pacific/Auckland'); // where July began twelve hours earlier
      expect((await accuracyOf(pastRun, '?series_id=P0007')).overrides.months).toBe(0);
      await moveTo('UTC');
      await service.database.execute('DELETE FROM overrides WHERE series_id = $1', [series[0]!.id]);
    });

    it('uses current demand: corrected, and without deleted months, even if that is all the run knew', async () => {
      const { tenant: own, api: reader } = await tenantWithDemand(service, demandCsv(1, 48));
      const { id } = await reader.run({ config_overrides: { cutoff: '2022-10', horizon: 18, backtest_windows: 0 } });
      const { body: forecasts } = await reader.get<Row[]>(`/runs/${id}/forecasts`);
      const september = forecasts.find(({ ds }) => ds === '2023-09-01')!;
      await reader.upload(own.workspaceId, `unique_id,ds,y\nP0000,2023-09-01,${september.q50}\n`);
      const { token } = await createMember(service.database, own.organizationId, 'member');
      const actuals = `/workspaces/${own.workspaceId}/series/P0000/actuals`;
      const months = '?from=2020-01&to=2023-08';
      expect((await new AppClient(service.url, token).delete(actuals + months)).status).toBe(204);

      const { body } = await reader.get<Accuracy>(`/runs/${id}/accuracy`);
      expect(body).toMatchObject({ from: '2023-09-01', to: '2023-12-01', series: 1, months: 4 });
      expect(body.by_month[0]).toMatchObject({ ds: '2023-09-01', series: 1, wape: 0 });
    });

    it('is computed for two callers of an organization at a time, and others wait', async () => {
      await using held = await holdRows(service.database, 'LOCK TABLE demand IN ACCESS EXCLUSIVE MODE');
      const asked = ['', '?series_id=P0000'].flatMap((query) =>
        Array.from({ length: 3 }, () => api.get(`/runs/${pastRun}/accuracy${query}`)),
      );
      await held.untilAwaitedBy(2);
      await sleep(300); // in which all six would have come to the table
      expect(await countLockWaiters(service.database)).toBe(2);
      await held.release();
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    });

    it('is empty until demand arrives, and refused for an incomplete run', async () => {
      expect(await accuracyOf(runId)).toMatchObject({
        ...{ from: null, to: null, series: 0, months: 0, wape: null, coverage: null, skill: null },
        by_month: [],
        largest_errors: [],
      });
      const canceled = await createPastRun(service.database, tenant, { status: 'canceled', finishedAt: new Date() });
      expect((await api.get(`/runs/${canceled}/accuracy`)).body).toMatchObject({ code: 'run_not_completed' });
      expect((await api.get(`/runs/${pastRun}/accuracy?series_id=NOTHING`)).status).toBe(404);
    });
  });

  it('applies an override to final and leaves the quantiles unchanged', async () => {
    const first = rows.find((row) => row.unique_id === 'P0005')!;
    const { body: series } = await api.get<SeriesItem[]>('/series');
    const id = series.find((item) => item.unique_id === 'P0005')!.id;
    await service.database.execute(
      `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 'percent', 10, 'promotion', 'planner@example.com', now())`,
      [tenant.organizationId, tenant.workspaceId, id, first.ds],
    );
    const { body } = await api.get<(Row & { final: number })[]>(
      `/runs/${runId}/forecasts?series_id=P0005&apply_overrides=true`,
    );
    expect(body[0]).toMatchObject({ q10: first.q10, q50: first.q50, q90: first.q90 });
    expect(body[0]!.final).toBeCloseTo(1.1 * first.q50, 6);
    expect(body.length).toBeGreaterThan(1);
    for (const row of body.slice(1)) expect(row.final).toBe(row.q50);
  });

  it('explains the effect of overrides on a series, and that safety stock ignores them', async () => {
    const { body: series } = await api.get<SeriesItem[]>('/series');
    const id = series.find((item) => item.unique_id === 'P0006')!.id;
    type Words = { best_estimate: number; months: { best_estimate: number }[] };
    const override = (month: string, value: number, expiresAt: Date | null): Promise<number> =>
      service.database.execute(
        `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at, expires_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, 'absolute', $5, 'promotion', 'planner@example.com', now() - interval '1 day', $6)`,
        [tenant.organizationId, tenant.workspaceId, id, month, value, expiresAt],
      );
    const words = async (query = '') => (await api.get<Words>(`/series/${id}/forecast?run_id=${runId}${query}`)).body;
    const stock = async (leadTime: number) =>
      (await api.get<Stock>(`/runs/${runId}/safety-stock/${id}?lead_time=${leadTime}`)).body;
    const [plain, advice] = [await words(), await stock(2)];

    await override('2024-01-01', 1, new Date(Date.now() - 60_000));
    await override('2024-02-01', 1_000, null);
    const { months, ...rest } = await words('&apply_overrides=true');
    const { months: own, ...model } = plain;
    expect(months).toEqual(own.map((month, step) => ({ ...month, final: step === 1 ? 1_000 : month.best_estimate })));
    expect(rest).toEqual({ ...model, final: model.best_estimate });
    expect(await words()).toEqual(plain);

    const warning = 'The override of February 2024 is not included: safety stock is computed from the forecast itself.';
    expect(advice.warnings).not.toContain(warning);
    expect((await stock(2)).warnings).toContain(warning);
    expect((await stock(1)).warnings.join()).not.toContain('override');
    expect(await stock(2)).toEqual({ ...advice, warnings: expect.any(Array) });
  });

  it('warns of a lead time in the past when the data of the series ended long ago', async () => {
    const { body } = await api.get<Stock>(`/runs/${runId}/safety-stock/P0003?lead_time=1.5`);
    expect(body.warnings[0]).toMatch(
      /^The lead time covers January 2024 to February 2024, because the run had no later data for the series; the current month is \w+ 20\d\d\.$/,
    );
  });

  const ONE_SERIES = [
    { what: 'safety stock', path: (run: string, series: string) => `/runs/${run}/safety-stock/${series}` },
    { what: 'forecast', path: (run: string, series: string) => `/series/${series}/forecast?run_id=${run}` },
  ];

  it.each(ONE_SERIES)('answers unknown and foreign ids alike ($what)', async ({ path }) => {
    const other = await createTenant(service);
    const shape = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
      status,
      body: { ...body, request_id: '' },
    });
    const missingRun = shape(await api.get(path(UNKNOWN_ID, 'P0003')));
    expect(missingRun).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(shape(await api.get(path('latest', 'P0003')))).toEqual(missingRun);
    expect(await api.get(path(runId, 'NOTHING'))).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await api.get(path(runId, UNKNOWN_ID))).toMatchObject({ status: 404 });
    expect(await api.get(path(runId, '%00'))).toMatchObject({ status: 404 });
    for (const key of [other.workspaceKey, other.organizationKey]) {
      expect(shape(await new Api(service.url, key).get(path(runId, 'P0003')))).toEqual(missingRun);
    }
  });

  it.each(ONE_SERIES)('explains that a run left a series out, or is incomplete ($what)', async ({ path }) => {
    const partial = await api.run({ config_overrides: { series: { unique_ids: ['P0001'] }, horizon: 1 } });
    expect(await api.get(path(partial.id, 'P0002'))).toMatchObject({
      status: 404,
      body: { code: 'series_not_forecast' },
    });
    const canceled = await createPastRun(service.database, tenant, { status: 'canceled', finishedAt: new Date() });
    const early = await api.get(path(canceled, 'P0001'));
    expect([early.status, early.body['code']]).toEqual([409, 'run_not_completed']);
  });
});
