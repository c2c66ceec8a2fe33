import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EdmV4, OData } from '@odata/client';
import { sharedService } from '../support/shared-service.js';
import { type Row, type SeededFeed, sharedFeed } from './feed.js';
import { createApiKey } from '../support/builders.js';

// both are CommonJS to the loader of the tests or to TypeScript, which then do not agree on what they export
const require = createRequire(import.meta.url);
const { o } = require('o.js') as typeof import('o.js');
const { default: buildQuery } = require('odata-query') as { default: (typeof import('odata-query'))['default'] };

/** Clients that others have written, each asking as it does by itself. */
describe('third-party OData clients', () => {
  let seeded: SeededFeed;
  let key: string;
  beforeAll(async () => {
    seeded = await sharedFeed();
    key = await createApiKey(await sharedService(), seeded.organizationId);
  });

  describe('@odata/client', () => {
    const client = () =>
      OData.New4({
        serviceEndpoint: `${seeded.feed.root}/`,
        credential: { username: 'anybody', password: key },
        fetchProxy: async (url, init) => {
          const response = await fetch(url, { headers: init?.headers as Record<string, string> });
          return { content: await response.json(), response };
        },
      });

    it('queries a set by filter, parameters and key', async () => {
      const series = client().getEntitySet<Row>('Series');
      const filter = client().newFilter().property('unique_id').eq('A-1').property('observations').gt(3);
      const found = await series.query(
        client().newParam().filter(filter).select(['id', 'unique_id']).top(5).count(true),
      );
      expect(found).toMatchObject([{ unique_id: 'A-1' }]);
      const one = await series.retrieve(EdmV4.Guid.from(String(found[0]!['id'])));
      expect(one).toMatchObject({ unique_id: 'A-1', category: 'Care' });
      expect(await series.count(client().newFilter().property('category').eq('Care'))).toBe(4);
    });

    it('expands, sorts and aggregates', async () => {
      const forecasts = client().getEntitySet<Row>('Forecasts');
      const rows = await forecasts.query(client().newParam().expand('series').orderby('q50', 'desc').top(2));
      expect(rows).toHaveLength(2);
      expect(Number(rows[0]!['q50'])).toBeGreaterThanOrEqual(Number(rows[1]!['q50']));
      expect(rows[0]!['series']).toMatchObject({ unique_id: rows[0]!['unique_id'] });
      const grouped = await forecasts.query(
        client().newParam().apply('groupby((category),aggregate(q50 with sum as total))'),
      );
      expect(grouped.map((row) => row['category'])).toContain('Care');
    });

    it('receives errors', async () => {
      const asked = client().getEntitySet('Series').query(client().newParam().filter('nothing eq 1'));
      await expect(asked).rejects.toThrow('Series has no property nothing');
    });
  });

  describe('o.js', () => {
    const handler = () => o(`${seeded.feed.root}/`, { headers: { 'X-API-Key': key } });

    it('reads sets and entities', async () => {
      const rows = (await handler()
        .get('Series')
        .query({ $filter: `startswith(unique_id,'B')`, $orderby: 'unique_id' })) as Row[];
      expect(rows.map((row) => row['unique_id'])).toEqual(['B-1', 'B-2']);
      const one = (await handler()
        .get(`Series(${String(rows[0]!['id'])})`)
        .query({ $select: 'unique_id' })) as Row;
      expect(one).toMatchObject({ unique_id: 'B-1' });
    });

    it('receives errors unchanged', async () => {
      const refusal: unknown = await handler()
        .get('Series')
        .query({ $filter: 'nothing eq 1' })
        .catch((reply: Response) => reply.status);
      expect(refusal).toBe(400);
    });
  });

  describe('odata-query', () => {
    const ask = (set: string, query: Parameters<typeof buildQuery>[0]) =>
      seeded.feed.fetch(`${seeded.feed.root}/${set}${buildQuery(query)}`);

    it('builds valid filters, orders, expansions and aggregations', async () => {
      const filter = {
        and: [{ q50: { ge: 1, le: 1e6 } }, { or: [{ category: 'Care' }, { 'series/unit': { eq: 'pieces' } }] }],
        run_id: { eq: { type: 'guid' as const, value: seeded.runs[1] } },
      };
      const page = await ask('Forecasts', {
        filter,
        orderBy: ['ds desc', 'unique_id'],
        select: ['ds', 'unique_id'],
        expand: { series: { select: ['category'] } },
        top: 3,
        count: true,
      });
      expect([page.status, page.text]).toEqual([200, expect.any(String)]);
      expect(page.body.value).toHaveLength(3);
      expect(page.body.value[0]).toMatchObject({ series: { category: 'Care' } });
      const texts = { filter: [{ 'tolower(product_name)': { contains: 'grün' } }, { unique_id: { startswith: 'B' } }] };
      expect((await ask('Series', texts)).body.value).toHaveLength(2);
      expect((await ask('Series', { filter: { unique_id: { in: ['A-1', 'A-2'] } } })).body.value).toHaveLength(2);
      expect((await ask('Series', { filter: { product_name: "O'Brien's 50% soap" } })).body.value).toHaveLength(1);
      expect((await ask('Series', { filter: { not: { category: null } } })).body.value).toHaveLength(7);
      const since = { filter: { created_at: { gt: new Date('2025-02-20T00:00:00Z') } } };
      expect((await ask('Alerts', since)).body.value).toHaveLength(2);
      const transform = [
        { filter: { y: { gt: 0 } } },
        {
          groupBy: { properties: ['category'], transform: { aggregate: { y: { with: 'sum' as const, as: 'total' } } } },
        },
      ];
      expect((await ask('Actuals', { transform })).body.value).toHaveLength(4);
    });
  });
});
