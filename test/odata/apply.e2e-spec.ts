import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ODataError, type Row, type SeededFeed, sharedFeed } from './feed.js';

describe('$apply', () => {
  let seeded: SeededFeed;
  let actuals: Row[];
  beforeAll(async () => {
    seeded = await sharedFeed();
    actuals = await seeded.feed.rows('Actuals');
  });

  const apply = (text: string, options: Record<string, string> = {}) =>
    seeded.feed.rows('Actuals', { $apply: text, ...options });
  /** Rows by a key, in the order of the feed: nulls first. */
  const grouped = (rows: readonly Row[], key: string): [string | null, Row[]][] => {
    const groups = Map.groupBy(rows, (row) => row[key] as string | null);
    return [...groups].sort(([a], [b]) => (a === null ? -1 : b === null ? 1 : a < b ? -1 : 1));
  };
  const sum = (rows: readonly Row[]): number => rows.reduce((total, row) => total + Number(row['y']), 0);

  it('groups and aggregates with every method', async () => {
    const rows = await apply(
      'groupby((category),aggregate(y with sum as total,y with average as mean,y with min as least,y with max as most,unique_id with countdistinct as products,ds with max as last,$count as n))',
    );
    const expected = grouped(actuals, 'category').map(([category, of]) => ({
      category,
      total: sum(of),
      mean: sum(of) / of.length,
      least: Math.min(...of.map((row) => Number(row['y']))),
      most: Math.max(...of.map((row) => Number(row['y']))),
      products: new Set(of.map((row) => row['unique_id'])).size,
      last: of
        .map((row) => String(row['ds']))
        .sort()
        .at(-1),
      n: of.length,
    }));
    expect(rows).toHaveLength(expected.length);
    rows.forEach((row, index) => {
      const { total, mean, ...exact } = expected[index]!;
      expect(row).toMatchObject(exact);
      expect([Number(row['total']), Number(row['mean'])]).toEqual([expect.closeTo(total, 6), expect.closeTo(mean, 9)]);
    });
  });

  it('declares the type of aggregated dates and times, which no metadata declares and clients would read as strings', async () => {
    const $apply = 'groupby((month),aggregate(ds with max as last,y with max as most))';
    const [row] = await apply($apply, { $top: '1' });
    expect(Object.keys(row!)).toEqual(['month', 'last@odata.type', 'last', 'most']);
    expect(row).toMatchObject({ 'last@odata.type': '#Date' });
    expect(await apply(`${$apply}/groupby((last))`, { $top: '1' })).toEqual([
      { 'last@odata.type': '#Date', last: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    ]);
    expect(await seeded.feed.rows('Series', { $apply: 'aggregate(created_at with min as first)' })).toEqual([
      { 'first@odata.type': '#DateTimeOffset', first: expect.stringMatching(/Z$/) },
    ]);
    expect(await apply('aggregate(ds with max as ds)')).toEqual([{ ds: expect.any(String) }]);
    const named = async (alias: string) => Object.keys((await apply(`aggregate(ds with max as ${alias})`))[0]!);
    const [longest, longer] = ['x'.repeat(52), 'x'.repeat(53)];
    expect([await named(longest), await named(longer)]).toEqual([[`${longest}@odata.type`, longest], [longer]]);
  });

  it.each([
    { text: 'odata.metadata=none, which asks for no annotations', alias: 'last', metadata: 'none' },
    { text: 'names of more than 52 characters, beside which the database has no room', alias: 'a'.repeat(60) },
  ])('declares no type with $text', async ({ alias, metadata = 'minimal' }) => {
    const options = { $apply: `aggregate(ds with max as ${alias})`, $format: `json;odata.metadata=${metadata}` };
    const [row] = (await seeded.feed.get('Actuals', options)).body.value;
    expect(Object.keys(row!)).toEqual([alias]);
  });

  it('aggregates everything into one row, and an empty set into one row too', async () => {
    expect(await apply('aggregate($count as n,y mul 2 with max as most)')).toEqual([
      { n: actuals.length, most: 2 * Math.max(...actuals.map((row) => Number(row['y']))) },
    ]);
    expect(await apply('filter(false)/aggregate($count as n,y with sum as total)')).toEqual([{ n: 0, total: null }]);
  });

  it('sums and averages without losing digits', async () => {
    const each = 'y div 3 with sum as total,y div 3 with average as mean,y div 3 with max as most';
    const rows = await apply(`groupby((series_id,ds),aggregate(${each}))`);
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter(({ total, mean, most }) => total !== most || mean !== most)).toEqual([]);
  });

  it('filters before and after, sorts by aggregates, counts groups', async () => {
    const of2025 = actuals.filter((row) => String(row['ds']) >= '2025');
    const groups = grouped(of2025, 'unique_id').map(([name, rows]) => ({ unique_id: name, total: sum(rows) }));
    const kept = groups.filter(({ total }) => total > 300).sort((a, b) => b.total - a.total);
    const options = { $filter: 'total gt 300', $orderby: 'total desc', $count: 'true', $top: '3' };
    const text = 'filter(year(ds) eq 2025)/groupby((unique_id),aggregate(y with sum as total))';
    const { body } = await seeded.feed.get('Actuals', { $apply: text, ...options });
    expect(body['@odata.count']).toBe(kept.length);
    expect(body.value.map((row) => row['unique_id'])).toEqual(kept.slice(0, 3).map((row) => row.unique_id));
    expect(body['@odata.context']).toBe(`${seeded.feed.root}/$metadata#Actuals(unique_id,total)`);
    expect(await apply(`${text}/filter(total gt 300)/aggregate($count as groups)`)).toEqual([{ groups: kept.length }]);
    expect((await seeded.feed.get<string>('Actuals/$count', { $apply: text })).text).toBe(String(groups.length));
    const selected = await seeded.feed.get('Actuals', { $apply: text, $select: 'unique_id', $top: '1' });
    expect(selected.body).toEqual({
      '@odata.context': `${seeded.feed.root}/$metadata#Actuals(unique_id)`,
      value: [{ unique_id: 'A-1' }],
    });
  });

  it('groups by navigation properties as nested objects, and returns distinct combinations', async () => {
    const rows = await apply('groupby((series/category,workspace/time_zone),aggregate($count as n))');
    expect(rows).toEqual(
      grouped(actuals, 'category').map(([category, of]) => ({
        series: { category },
        workspace: { time_zone: 'UTC' },
        n: of.length,
      })),
    );
    expect(await apply('groupby((unit))')).toEqual([{ unit: 'kg' }, { unit: 'pieces' }]);
  });

  it.each([
    ['groupby((nothing))', 10],
    ['groupby((category),aggregate(y with sum as category))', 30],
    ['groupby((series/category),aggregate(y with sum as series))', 37],
    ['groupby((category,category))', 19],
    ['aggregate(category with sum as x)', 11],
    ['aggregate(id with sum as x)', 11],
    ['aggregate(important with max as x)', 11],
    ['aggregate(y with median as x)', 18],
    ['aggregate(y with sum)', 21],
    ['aggregate(y with sum as $x)', 25],
    ['aggregate(y with sum as "x)', 25],
    ['topcount(3,y)', 1],
    ['filter(y)', 8],
    ['groupby(category)', 9],
    ['groupby((category)', 19],
    ['', 1],
  ])('refuses %s and reports its position', async (text, place) => {
    const { status, body } = await seeded.feed.get<ODataError>('Actuals', { $apply: text });
    expect([status, body.error.target]).toEqual([400, '$apply']);
    expect(body.error.message).toContain(`at character ${place}:`);
  });

  it('refuses options that are meaningless after an aggregation', async () => {
    const $apply = 'groupby((category))';
    for (const [option, value] of [
      ['$expand', 'series'],
      ['$filter', `unit eq 'kg'`],
      ['$orderby', 'unit'],
      ['$select', 'unit'],
    ] as const) {
      const { status, body } = await seeded.feed.get<ODataError>('Actuals', { $apply, [option]: value });
      expect([status, body.error.target]).toEqual([400, option]);
    }
  });
});
