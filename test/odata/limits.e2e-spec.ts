import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFeed } from '../../src/odata/feed.queries.js';
import { createTenant } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';
import { Feed, type ODataError, type Page, type Row } from './feed.js';

const MEGABYTE = 2 ** 20;

/** The text joined with itself as often as the number, a power of two, says. */
const joined = (text: string, times: number): string =>
  times === 1 ? text : `concat(${joined(text, times / 2)},${joined(text, times / 2)})`;

describe('the limits of one feed query', () => {
  let service: TestService;
  let feed: Feed;
  let feedOfOtherKey: Feed;
  beforeAll(async () => {
    service = await sharedService();
    const tenant = await createTenant(service, { plan: 'scale' });
    feed = new Feed(service.url, tenant.organizationKey);
    feedOfOtherKey = new Feed(service.url, tenant.workspaceKey);
    await service.database.execute(
      `INSERT INTO series (id, organization_id, workspace_id, unique_id, metadata, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'S' || n, m.metadata, now(), now()
         FROM generate_series(1, 600) n,
              (SELECT jsonb_object_agg('c' || k, repeat('x', 2000)) AS metadata FROM generate_series(1, 48) k) AS m`,
      [tenant.organizationId, tenant.workspaceId],
    );
  });

  it('end a page at 16 MiB, whatever page size was requested, without losing rows', async () => {
    const pages: { bytes: number; rows: Row[]; count: number | undefined }[] = [];
    let url: string | undefined = feed.url('Series', { $count: 'true', $orderby: 'created_at desc', $top: '590' });
    while (url !== undefined) {
      const { status, text, body }: { status: number; text: string; body: Page } = await feed.fetch(url, {
        prefer: 'odata.maxpagesize=10000',
      });
      expect(status).toBe(200);
      pages.push({ bytes: text.length, rows: body.value, count: body['@odata.count'] });
      url = body['@odata.nextLink'];
    }
    expect(pages.map(({ count }) => count)).toEqual([600, ...Array<undefined>(pages.length - 1).fill(undefined)]);
    for (const { bytes } of pages) expect(bytes).toBeLessThan(16 * MEGABYTE);
    for (const { bytes } of pages.slice(0, -1)) expect(bytes).toBeGreaterThan(15 * MEGABYTE);
    const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([590, 590]);
  });

  it('refuse a row larger than a page', async () => {
    const columns = Array.from({ length: 200 }, (_, n) => `metadata with max as c${n}`);
    const { status, body } = await feed.get<ODataError>('Series', { $apply: `aggregate(${columns.join(',')})` });
    expect([status, body.error.message]).toEqual([
      400,
      'The query cannot be answered: one of its rows is larger than the maximum page size.',
    ]);
  });

  it('refuse strings that grow from step to step', async () => {
    const step = (from: string, to: string): string =>
      `groupby((unique_id),aggregate(${joined(from, 64)} with max as ${to}))`;
    const once = await feed.get('Series', { $apply: step('unique_id', 'a'), $top: '1' });
    expect([once.status, once.body.value.length]).toEqual([200, 1]);
    const twice = { $apply: `${step('unique_id', 'a')}/${step('a', 'b')}` };
    const { status, body } = await feed.get<ODataError>('Series', twice);
    expect([status, body.error.target]).toEqual([400, '$apply']);
    expect(body.error.message).toMatch(
      /^\$apply: at character \d+: the string could have more than 250,000 characters$/,
    );
    const filter = `length(concat(metadata,${joined('metadata', 2)})) gt 1`;
    expect((await feed.get<ODataError>('Series', { $filter: filter })).body.error.target).toBe('$filter');
  });

  it('allow sorting by 30 terms and no more', async () => {
    const status = async (terms: number) => {
      const { status: answered, body } = await feed.get<ODataError>('Series', {
        $orderby: Array(terms).fill('unit').join(','),
        $top: '1',
      });
      return [answered, body.error?.message];
    };
    expect(await status(30)).toEqual([200, undefined]);
    expect(await status(31)).toEqual([400, '$orderby: at character 151: more than 30 terms']);
    expect((await status(1_500))[0]).toBe(400);
  });

  it('allow an aggregation of ten steps and no more', async () => {
    const status = async (steps: number) => {
      const $apply = Array(steps).fill('filter(true)').join('/');
      return (await feed.get<ODataError>('Series', { $apply, $top: '1' })).status;
    };
    expect([await status(10), await status(11)]).toEqual([200, 400]);
  });

  it('refuse to sort by strings too long for the link to the next page, and name them', async () => {
    const refusal = async (options: Record<string, string>) => {
      const { status, body } = await feed.get<ODataError>('Series', options, { prefer: 'odata.maxpagesize=5' });
      return [status, body.error?.message];
    };
    expect(await refusal({ $orderby: 'category,metadata desc' })).toEqual([
      400,
      '$orderby: at character 10: metadata can have 200,000 characters; the strings that rows are sorted by can have at most 2,000 in total',
    ]);
    expect(await refusal({ $orderby: 'concat(metadata,unit)' })).toEqual([
      400,
      expect.stringContaining('$orderby: at character 1: this string can have 200,255 characters'),
    ]);
    const concats = Array.from({ length: 8 }, (_, n) => `concat(unique_id,'${n}')`);
    expect((await refusal({ $orderby: concats.slice(0, 7).join(',') }))[0]).toBe(200);
    expect((await refusal({ $orderby: concats.join(',') }))[0]).toBe(400);
  });

  it('allow links to further pages of any query, unless its strings are long and random', async () => {
    const answers = async (options: Record<string, string>) => {
      const asked = { ...options, $select: 'unique_id' };
      const first = await feed.get<Page & ODataError>('Series', asked, { prefer: 'odata.maxpagesize=5' });
      if (first.status !== 200) return [first.status, first.body.error.message];
      return [200, (await feed.fetch(first.body['@odata.nextLink']!)).status];
    };
    const excludes = Array.from({ length: 88 }, (_, n) => `'${String(n).padStart(30, 'ä')}'`).join(',');
    const byTexts = { $filter: `not (unique_id in (${excludes}))`, $orderby: 'product_name,category,unit,unique_id' };
    expect(feed.url('Series', byTexts).length).toBeGreaterThan(15_500);
    expect(await answers(byTexts)).toEqual([200, 200]);
    const random = (length: number): string => randomBytes(length).toString('base64url').slice(0, length);
    const byChance = {
      $filter: `not contains(unique_id,'${random(7_900)}')`,
      $orderby: `contains(unique_id,'${random(5_500)}')`,
    };
    expect(await answers(byChance)).toEqual([
      400,
      'The query cannot be answered: its options are too long for the URLs of further pages, which can have at most 13384 characters.',
    ]);
  });

  it('refuse a query on its first page if later pages may be impossible to link, and page through any other', async () => {
    const tenant = await createTenant(service, { plan: 'scale' });
    const own = new Feed(service.url, tenant.organizationKey);
    const longest = (n: number): string =>
      Array.from(randomBytes(500), (byte, at) =>
        String.fromCodePoint(0x1_0000 + ((byte * 4096 + at * 7 + n) % 0x10_0000)),
      ).join('');
    for (const [n, name] of [null, null, null, longest(1), longest(2), longest(3)].entries()) {
      await service.database.execute(
        `INSERT INTO series (id, organization_id, workspace_id, unique_id, product_name, created_at, updated_at)
         VALUES (gen_random_uuid(), $1, $2, 'S' || $3::int, $4, now(), now())`,
        [tenant.organizationId, tenant.workspaceId, n, name],
      );
    }
    const statuses = async (characters: number): Promise<number[]> => {
      const noise = randomBytes(characters).toString('base64url').slice(0, characters);
      let url: string | undefined = own.url('Series', {
        $filter: `not contains(unique_id,'${noise.slice(0, 7_000)}')`,
        $orderby: `product_name,contains(unique_id,'${noise.slice(7_000)}')`,
        $select: 'unique_id',
      });
      const found: number[] = [];
      while (url !== undefined) {
        const page: { status: number; body: Page } = await own.fetch(url, { prefer: 'odata.maxpagesize=2' });
        found.push(page.status);
        url = page.body['@odata.nextLink'];
      }
      return found;
    };
    expect(await statuses(12_300)).toEqual([400]);
    expect(await statuses(10_500)).toEqual([200, 200, 200]);
  });

  it('give 400 when a statement exceeds a limit of PostgreSQL', async () => {
    const tooManyArguments = `SELECT json_build_array(${Array(101).fill('1').join(',')})`;
    const read = readFeed(service.database, (tx) => tx.query(tooManyArguments));
    await expect(read).rejects.toMatchObject({
      status: 400,
      detail: 'The query cannot be answered: it is too complex.',
    });
  });

  it('leave connections to others while slow queries of an organization run, and some of them to each key', async () => {
    // a query that waits is as slow as one that computes, and leaves the machine to the other suites
    await using held = await holdRows(service.database, 'LOCK TABLE series IN ACCESS EXCLUSIVE MODE');
    const ask = (key: Feed) => Promise.all(Array.from({ length: 8 }, () => key.get<ODataError>('Series')));
    const asked = [ask(feed), ask(feedOfOtherKey)];
    await held.untilAwaitedBy(3);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    const ofKeys = await Promise.all(asked);
    const busyOf = (answers: { status: number }[]): number => answers.filter(({ status }) => status === 429).length;
    expect(ofKeys.map(busyOf).sort()).toEqual([6, 7]);
    const answered = ofKeys.flat();
    const busy = answered.filter(({ status }) => status === 429);
    for (const { headers, body } of busy) {
      expect([headers.get('retry-after'), body.error.code]).toEqual(['5', 'too_many_requests']);
    }
    const tooLong = answered.filter(({ status }) => status === 400).map(({ body }) => body.error.message);
    expect(tooLong).toEqual(
      Array(3).fill('The query cannot be answered: it takes more than 15 s; request less data at a time.'),
    );
  });
});
