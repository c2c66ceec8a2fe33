import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, demandCsv, nextPage, pagesOf } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { moveToMidday, TODAY } from '../support/time/midday.js';

type Item = { unique_id: string; ds?: string };
type Explained = {
  summary: string | null;
  totals: { prior: number } | null;
  totals_pending: boolean;
  series_compared: number;
  added_total: number;
  removed_total: number;
  removed: Item[];
  series: (Item & Pick<Explained, 'totals'>)[];
};
type Accuracy = { series: number; months: number; wape: number; largest_errors: Item[] };

const SERIES = 6;
const MONTHS = 36 + TODAY.getUTCMonth();
const DEMAND = demandCsv(SERIES, MONTHS, TODAY.getUTCFullYear() - 3);
const COFFEE = ['P0001', 'P0004', 'P0005'];
const csv = { accept: 'text/csv' };

describe('the results of a run for one category', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  let runId: string;

  const get = async <Body>(path: string): Promise<Body> => {
    const reply = await api.get<Body>(`/runs/${runId}${path}`);
    expect([reply.status, reply.body]).toMatchObject([200, {}]);
    return reply.body;
  };

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await tenantWithDemand(service, DEMAND));
    await moveToMidday(service.database, tenant.workspaceId);
    const categories = COFFEE.map((id) => `${id},"Coffee, whole"`);
    await api.upload(tenant.workspaceId, ['unique_id,category', ...categories, 'P0002,Tea'].join('\n'));
    runId = (await api.run({ config_overrides: { horizon: 6 } })).id;
  });
  afterAll(() => service.close());

  const LISTS = ['/forecasts', '/safety-stock', '/series-metrics', '/demand-sensing'];

  it.each(LISTS)('%s lists what it lists for these series among all', async (path) => {
    const all = await get<Item[]>(path);
    expect(new Set(all.map(({ unique_id }) => unique_id)).size).toBe(SERIES);
    const ofCoffee = await get<Item[]>(`${path}?category=Coffee,%20whole`);
    expect(ofCoffee).toEqual(all.filter(({ unique_id }) => COFFEE.includes(unique_id)));
  });

  it.each(LISTS)('%s is read page by page', async (path) => {
    const pages: Item[][] = [];
    for await (const page of pagesOf<Item[]>(api, `/runs/${runId}${path}?category=Coffee,%20whole&limit=2`)) {
      pages.push(page);
    }
    expect(pages.flat()).toEqual(await get(`${path}?category=Coffee,%20whole`));
    expect(pages.every((page, index) => page.length === 2 || index === pages.length - 1)).toBe(true);
  });

  it.each(LISTS)('%s is empty for a category that no series has, on its only page', async (path) => {
    const reply = await api.get<Item[]>(`/runs/${runId}${path}?category=coffee`);
    expect([reply.status, reply.body, nextPage(reply.headers)]).toEqual([200, [], undefined]);
  });

  it.each(LISTS)('%s refuses an empty category', async (path) => {
    const reply = await api.get(`/runs/${runId}${path}?category=`);
    expect([reply.status, reply.body]).toMatchObject([400, { errors: [{ param: 'category' }] }]);
  });

  it.each(['/forecasts', '/series-metrics', '/demand-sensing'])(
    '%s is empty for a series of another category',
    async (path) => {
      expect(await get(`${path}?category=Tea&series_id=P0001`)).toEqual([]);
      expect(await get(`${path}?category=Tea&series_id=P0002`)).toEqual(await get(`${path}?series_id=P0002`));
    },
  );

  it('follows a series into another category, as the rows show it', async () => {
    await api.upload(tenant.workspaceId, 'unique_id,category\nP0003,Spices\n');
    const rows = await get<(Item & { category: string })[]>('/forecasts?category=Spices');
    expect(rows.map(({ unique_id, category }) => [unique_id, category])).toEqual(
      Array.from({ length: 6 }, () => ['P0003', 'Spices']),
    );
  });

  it('is recorded in the audit log with the category, where it is taken as CSV', async () => {
    for (const path of ['/forecasts', '/safety-stock']) {
      await api.get(`/runs/${runId}${path}?category=Tea`, csv);
    }
    const admin = new AppClient(
      service.url,
      (await createMember(service.database, tenant.organizationId, 'admin')).token,
    );
    const log = await admin.get<{ details: unknown }[]>(
      `/orgs/${tenant.organizationId}/audit-log?action=forecasts.exported`,
    );
    expect(log.body.map(({ details }) => details)).toMatchObject([
      { safety_stocks: 1, filter: { category: 'Tea' } },
      { series: 1, filter: { category: 'Tea' } },
    ]);
  });

  it('compares the forecasts of these series alone with their demand', async () => {
    const cutoff = new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() - 4)).toISOString().slice(0, 7);
    const past = await api.run({ config_overrides: { horizon: 3, cutoff } });
    const accuracy = async (query: string): Promise<Accuracy> =>
      (await api.get<Accuracy>(`/runs/${past.id}/accuracy${query}`)).body;
    const coffee = await accuracy('?category=Coffee,%20whole');
    expect([coffee.series, coffee.months]).toEqual([COFFEE.length, 3 * COFFEE.length]);
    expect(coffee.largest_errors.map(({ unique_id }) => unique_id).sort()).toEqual(COFFEE);
    expect(await accuracy('?category=Tea')).toEqual(await accuracy('?series_id=P0002'));
    expect(await accuracy('?category=coffee')).toMatchObject({ series: 0, months: 0, wape: null });
  });

  it('explains the change of these series, with their totals and those that only one run forecast', async () => {
    const { id: all } = await api.run({ config_overrides: { horizon: 6, seed: 2 } });
    const { id: some } = await api.run({
      config_overrides: { horizon: 6, series: { unique_ids: ['P0000', 'P0001', 'P0002', 'P0004'] } },
    });
    const explain = (query = '', runs = [all, runId]): Promise<Explained> =>
      eventually('the totals are there', async () => {
        const reply = await api.get<Explained>(`/runs/${runs[0]}/compare/${runs[1]}/forecast-explain${query}`);
        expect([reply.status, reply.body]).toMatchObject([200, {}]);
        return reply.body.totals_pending ? undefined : reply.body;
      });
    const everything = await explain();
    const coffee = await explain('?category=Coffee,%20whole');
    expect(coffee.series).toEqual(everything.series.filter(({ unique_id }) => COFFEE.includes(unique_id)));
    expect([coffee.series_compared, coffee.added_total, coffee.removed_total]).toEqual([COFFEE.length, 0, 0]);
    const prior = coffee.series.reduce((total, { totals }) => total + totals!.prior, 0);
    expect(coffee.totals!.prior).toBeCloseTo(prior, 6);
    expect(everything.totals!.prior).toBeGreaterThan(1.5 * prior);

    expect(await explain('?category=Coffee,%20whole', [some, all])).toMatchObject({
      series_compared: 2,
      added_total: 0,
      removed: [{ unique_id: 'P0005' }],
      removed_total: 1,
    });
    expect(await explain('?category=coffee', [some, all])).toMatchObject({
      summary: 'The two runs have no series in common in this category.',
      series_compared: 0,
      series: [],
      removed: [],
    });
    const { id: others } = await api.run({
      config_overrides: { horizon: 6, series: { unique_ids: ['P0003'] } },
    });
    expect(await explain('', [others, some])).toMatchObject({
      summary: 'The two runs have no series in common.',
      added_total: 1,
      removed_total: 4,
    });
    expect((await explain('?category=Tea&limit=1')).series).toMatchObject([{ unique_id: 'P0002' }]);
  });
});
