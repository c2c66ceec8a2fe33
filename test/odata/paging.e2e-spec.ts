import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { demandCsv } from '../support/api.js';
import { UNKNOWN_ID } from '../support/builders.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { sharedService } from '../support/shared-service.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { Feed, type ODataError, type Page, type Row, type SeededFeed, seedFeed, sharedFeed } from './feed.js';

describe('paging', () => {
  let service: TestService;
  let seeded: SeededFeed;
  beforeAll(async () => {
    service = await sharedService();
    seeded = await sharedFeed();
  });

  /** Every way to sort that paging could lose its place in: computed, descending, with ties, with nulls. */
  const ORDERS: readonly (readonly [set: string, orderBy: string | undefined])[] = [
    ['Series', undefined],
    ['Series', 'category'],
    ['Series', 'category desc'],
    ['Series', 'category desc,product_name,unit desc'],
    ['Series', 'length(product_name) desc'],
    ['Series', 'workspace/name,unique_id desc'],
    ['Series', 'null,1,true'],
    ['Series', 'product_name,category,unit,product_name desc,unique_id desc'],
    ['Actuals', undefined],
    ['Actuals', 'y desc'],
    ['Actuals', 'month(ds),y sub 1'],
    ['Actuals', '1 div (month(ds) sub 4) desc'],
    ['Runs', 'finished_at desc'],
    ['Forecasts', undefined],
    ['Forecasts', 'run/is_latest desc,ds,q50'],
    ['SeriesMetrics', undefined],
    ['SeriesMetrics', 'wape desc,backtest_months'],
    ['Totals', undefined],
    ['Totals', 'category desc,ds'],
    ['SafetyStocks', 'safety_stock desc'],
    ['Alerts', 'read_at,created_at'],
    ['Alerts', 'read_at desc'],
  ];
  it.each(ORDERS)('returns %s sorted by %s in pages as in one piece', async (set, orderBy) => {
    const options: Record<string, string> = orderBy === undefined ? {} : { $orderby: orderBy };
    const whole = await seeded.feed.rows(set, options);
    for (const size of [1, 3, whole.length, whole.length + 1].filter((rows) => whole.length / rows < 60)) {
      expect([size, await seeded.feed.allRows(set, options, size)]).toEqual([size, whole]);
    }
  });

  it('returns more rows on a page than are fetched from the database at a time', async () => {
    const { tenant } = await tenantWithDemand(service, demandCsv(50, 24));
    const feed = new Feed(service.url, tenant.organizationKey);
    const whole = await feed.rows('Actuals');
    expect(whole).toHaveLength(1_200);
    for (const size of [500, 700, 1_000]) expect(await feed.allRows('Actuals', {}, size)).toEqual(whole);
  });

  it('ends with the last row, without an empty page', async () => {
    const { body } = await seeded.feed.get('Series', {}, { prefer: 'odata.maxpagesize=8' });
    expect([body.value.length, body['@odata.nextLink']]).toEqual([8, undefined]);
  });

  it('keeps $top, $skip, $filter, $select and $expand across pages and counts once', async () => {
    const options = {
      $top: '7',
      $skip: '2',
      $count: 'true',
      $filter: 'y gt 0',
      $orderby: 'y',
      $select: 'ds,y',
      $expand: 'series($select=unique_id)',
    };
    const pages: Page[] = [];
    for await (const page of seeded.feed.pages('Actuals', options, 3)) pages.push(page);
    expect(pages.map(({ value }) => value.length)).toEqual([3, 3, 1]);
    expect(pages.flatMap(({ value }) => value)).toEqual(await seeded.feed.rows('Actuals', options));
    const all = await seeded.feed.rows('Actuals', { $filter: 'y gt 0' });
    expect(pages.map((page) => page['@odata.count'])).toEqual([all.length, undefined, undefined]);
    expect(pages.map((page) => page['@odata.context'])).toEqual(Array(3).fill(pages[0]!['@odata.context']));
  });

  it('keeps $format across pages', async () => {
    for await (const page of seeded.feed.pages('Series', { $format: 'json;odata.metadata=none' }, 3))
      expect(Object.keys(page)).not.toContain('@odata.context');
  });

  it.each([
    ['$top=1&$top=2', '$top'],
    ['api_key=one&api_key=other', 'api_key'],
  ])('refuses %s, which is given twice', async (query, target) => {
    const { status, body } = await seeded.feed.fetch<ODataError>(`${seeded.feed.root}/Series?${query}`);
    expect([status, body.error.message]).toEqual([400, `${target}: must be given only once`]);
  });

  it('pages through aggregations', async () => {
    const options = { $apply: 'groupby((category,ds),aggregate(y with sum as total))' };
    const whole = await seeded.feed.rows('Actuals', options);
    expect(whole.length).toBeGreaterThan(60);
    expect(await seeded.feed.allRows('Actuals', options, 25)).toEqual(whole);
    const sorted = { ...options, $orderby: 'total desc' };
    expect(await seeded.feed.allRows('Actuals', sorted, 25)).toEqual(await seeded.feed.rows('Actuals', sorted));
  });

  it('pages through groups of strings that are too long for a URL', async () => {
    const options = { $apply: 'groupby((metadata,unique_id),aggregate($count as rows))' };
    const whole = await seeded.feed.rows('Series', options);
    expect(whole.length).toBe(8);
    expect(await seeded.feed.allRows('Series', options, 3)).toEqual(whole);
    const sorted = { ...options, $orderby: 'rows desc,unique_id' };
    expect(await seeded.feed.allRows('Series', sorted, 3)).toEqual(await seeded.feed.rows('Series', sorted));
  });

  it('reports the page size applied, and ignores an invalid one', async () => {
    const applied = async (prefer: string) =>
      (await seeded.feed.get('Series', {}, { prefer })).headers.get('preference-applied');
    expect(await applied('odata.maxpagesize=2')).toBe('odata.maxpagesize=2');
    expect(await applied('respond-async, maxpagesize=2')).toBe('odata.maxpagesize=2');
    expect(await applied('odata.maxpagesize=99999')).toBe('odata.maxpagesize=10000');
    for (const nonsense of ['odata.maxpagesize=0', 'odata.maxpagesize=-5', 'odata.maxpagesize=many', 'x'])
      expect([nonsense, await applied(nonsense)]).toEqual([nonsense, null]);
  });

  it('repeats and misses no row while others are inserted', async () => {
    const { tenant, api } = await tenantWithDemand(service, demandCsv(8, 2));
    const feed = new Feed(service.url, tenant.organizationKey);
    const before = new Set((await feed.rows('Series')).map((row) => row['id']));
    expect(before.size).toBe(8);
    for (const orderBy of ['unique_id', 'category desc', 'created_at']) {
      const seen: unknown[] = [];
      let inserted = 0;
      for await (const page of feed.pages('Series', { $orderby: orderBy }, 2)) {
        seen.push(...page.value.map((row) => row['id']));
        if (inserted > 40) continue;
        const rows = ['A', 'B', 'M', 'Z'].map((name) => {
          inserted += 1;
          return { unique_id: `${name}-${orderBy}-${inserted}`, ds: '2025-01', y: 1, category: name };
        });
        await api.post('/actuals', { workspace_id: tenant.workspaceId, rows });
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect([...before].filter((id) => !seen.includes(id))).toEqual([]);
    }
  });

  it('refuses a token of another query or tenant, or a tampered one', async () => {
    const firstPage = async (options: Record<string, string>, feed = seeded.feed) =>
      (await feed.get('Series', options, { prefer: 'odata.maxpagesize=2' })).body['@odata.nextLink']!;
    const link = new URL(await firstPage({ $orderby: 'unique_id' }));
    const token = link.searchParams.get('$skiptoken')!;
    const other = await seedFeed(service);
    const status = async (resource: string, options: Record<string, string>, feed = seeded.feed) => {
      const { status: answered, body } = await feed.get<ODataError>(resource, options);
      return [answered, body.error?.target];
    };
    for (const options of [{}, { $orderby: 'unique_id' }])
      expect((await seeded.feed.get('Series', { ...options, $skiptoken: token })).status).toBe(200);
    for (const options of [{ $orderby: 'unique_id desc' }, { $orderby: 'unique_id', $filter: 'true' }])
      expect(await status('Series', { ...options, $skiptoken: token })).toEqual([400, '$skiptoken']);
    expect(await status('Workspaces', { $skiptoken: token })).toEqual([400, '$skiptoken']);
    expect(await status('Series', { $skiptoken: token }, other.feed)).toEqual([400, '$skiptoken']);
    const [content, seal] = token.split('.') as [string, string];
    const forged = deflateRawSync(JSON.stringify([['A-1', UNKNOWN_ID], null, {}])).toString('base64url');
    for (const bad of [
      '',
      '.',
      'x',
      content,
      `${content}.`,
      `${forged}.${seal}`,
      `${content}.${seal.slice(1)}`,
      `${content}x.${seal}`,
    ])
      expect([bad, ...(await status('Series', { $skiptoken: bad }))]).toEqual([bad, 400, '$skiptoken']);
    expect(await status('Series', { $skiptoken: token, $top: '1' })).toEqual([400, '$top']);
    expect(await status('Series', { $skiptoken: token, $skip: '1' })).toEqual([400, '$skip']);
  });
});

describe('links', () => {
  it('use the public URL if there is one', async () => {
    const service = await startTestService({ environment: { PUBLIC_URL: 'https://forecasts.example.com/' } });
    try {
      const { feed } = await seedFeed(service);
      const { body } = await feed.get<Page & { value: Row[] }>('Series', {}, { prefer: 'odata.maxpagesize=1' });
      expect(body['@odata.context']).toBe('https://forecasts.example.com/odata/v4/$metadata#Series');
      expect(body['@odata.nextLink']).toMatch(/^https:\/\/forecasts\.example\.com\/odata\/v4\/Series\?\$skiptoken=/);
    } finally {
      await service.close();
    }
  });
});
