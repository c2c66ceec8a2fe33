import { beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { createTenant } from '../support/builders.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';
import { Feed, type ODataError, type Row, type SeededFeed, sharedFeed } from './feed.js';
import { FILTER_CASES } from './filter-cases.js';

const KEYS: Readonly<Record<string, readonly string[]>> = {
  Actuals: ['series_id', 'ds'],
  Forecasts: ['run_id', 'series_id', 'ds'],
  SeriesMetrics: ['run_id', 'series_id'],
  Totals: ['total_id', 'ds'],
  SafetyStocks: ['series_id'],
};
const keyOf = (set: string, row: Row): string => (KEYS[set] ?? ['id']).map((name) => String(row[name])).join(' ');

describe('$filter', () => {
  let service: TestService;
  let seeded: SeededFeed;
  const rows = new Map<string, Row[]>();
  beforeAll(async () => {
    service = await sharedService();
    seeded = await sharedFeed();
    for (const set of new Set(FILTER_CASES.map(([name]) => name))) rows.set(set, await seeded.feed.rows(set));
    // what the cases on the run of a forecast are judged by
    for (const row of rows.get('Forecasts')!) row['is_latest'] = row['run_id'] === seeded.runs[1];
  });

  it.each(FILTER_CASES)('%s: %s', async (set, filter, keeps) => {
    const expected = rows.get(set)!.filter(keeps);
    const reply = await seeded.feed.get(set, { $filter: filter, $count: 'true' });
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
    expect(reply.body.value.map((row) => keyOf(set, row))).toEqual(expected.map((row) => keyOf(set, row)));
    expect(reply.body['@odata.count']).toBe(expected.length);
    const counted = await seeded.feed.get<string>(`${set}/$count`, { $filter: filter });
    expect(counted.text).toBe(String(expected.length));
  });

  /** Years of demand and forecasts are stored in one piece each: no comparison may pass over one that reaches to its edge. */
  async function expectEveryComparison(feed: Feed, set: string, ofOne: string): Promise<void> {
    const holds: Readonly<Record<string, (a: string, b: string) => boolean>> = {
      eq: (a, b) => a === b,
      ne: (a, b) => a !== b,
      gt: (a, b) => a > b,
      ge: (a, b) => a >= b,
      lt: (a, b) => a < b,
      le: (a, b) => a <= b,
    };
    const found = async (filter: string) =>
      (await feed.rows(set, { $filter: filter, $select: 'ds', $orderby: 'ds' })).map(({ ds }) => String(ds));
    const all = await found(ofOne);
    expect(all.length).toBeGreaterThan(3);
    for (const day of all) {
      for (const [operator, keeps] of Object.entries(holds)) {
        const filter = `${ofOne} and ds ${operator} ${day}`;
        expect([filter, await found(filter)]).toEqual([filter, all.filter((ds) => keeps(ds, day))]);
      }
    }
  }

  it('finds the days at the turn of a year by every comparison', async () => {
    const { workspaceId, organizationKey } = await createTenant(service, { plan: 'scale' });
    const days = ['2023-12-30', '2023-12-31', '2024-01-01', '2024-01-02'].map((day) => `A-1,${day},5`);
    const csv = ['unique_id,ds,y', ...days].join('\n');
    expect((await new Api(service.url, organizationKey).upload(workspaceId, csv)).status).toBe(200);
    await expectEveryComparison(new Feed(service.url, organizationKey), 'Actuals', `unique_id eq 'A-1'`);
  });

  it('finds the first and the last month of a forecast by every comparison', async () => {
    await expectEveryComparison(seeded.feed, 'Forecasts', `unique_id eq 'A-1' and run_id eq ${seeded.runs[1]}`);
  });

  it('keeps some rows and drops others in most cases, so that they prove something', () => {
    const telling = FILTER_CASES.filter(([set, , keeps]) => {
      const kept = rows.get(set)!.filter(keeps).length;
      return kept > 0 && kept < rows.get(set)!.length;
    });
    expect(telling.length).toBeGreaterThan(FILTER_CASES.length / 2);
  });

  it.each([
    ['Series', 'unique_id eq', 13],
    ['Series', `unique_id eq 'x`, 14],
    ['Series', `nothing eq 1`, 1],
    ['Series', `unique_id eq 1`, 11],
    ['Series', `unique_id`, 1],
    ['Series', `unique_id eq 'a' and`, 21],
    ['Series', `unique_id eq 'a' 'b'`, 18],
    ['Series', `(unique_id eq 'a'`, 18],
    ['Series', `unique_id eq 'a')`, 17],
    ['Series', `contains(unique_id)`, 1],
    ['Series', `sneeze(unique_id)`, 1],
    ['Series', `year(unique_id) eq 1`, 1],
    ['Series', `unique_id in ()`, 15],
    ['Series', `unique_id in (unique_id)`, 15],
    ['Series', `id eq 'A-1'`, 4],
    ['Series', `workspace eq null`, 1],
    ['Series', `workspace/nothing eq null`, 1],
    ['Series', `run/status eq null`, 1],
    ['Series', `created_at gt 2025-02-30T00:00:00Z`, 15],
    ['Series', `unique_id eq 'a' # b`, 18],
    ['Series', `important add 1 eq 2`, 11],
    ['Series', ``, 1],
  ])('refuses in %s, with its position: %s', async (set, filter, place) => {
    const { status, body } = await seeded.feed.get<ODataError>(set, { $filter: filter });
    expect([status, body.error.code, body.error.target]).toEqual([400, 'invalid_request', '$filter']);
    expect(body.error.message).toContain(`at character ${place}:`);
  });

  it.each([
    ['Forecasts', `ds ge '2026-12-01'`, 'cannot compare a date with a string; write it without quotes'],
    ['Series', `id eq 'A-1'`, 'cannot compare a guid with a string; write it without quotes'],
    ['Series', `unique_id eq 1001`, 'cannot compare a string with an integer; put strings in quotes'],
    ['Series', `1001 eq unique_id`, 'cannot compare an integer with a string; put strings in quotes'],
    ['Series', `unique_id eq SKU1`, 'Series has no property SKU1; the known names are .*; put strings in quotes'],
    ['Series', `unique_id eq SKU-1001`, 'expected .*, found "-1001"; put strings in quotes'],
    ['Series', `unique_id eq 1001-A`, 'expected .*, found "-"; put strings in quotes'],
    ['Series', `product_name eq Mug large`, 'expected .*, found "large"; put strings in quotes'],
    ['Series', `important eq true)`, 'expected .*, found "[)]"'],
    ['Forecasts', `is_latest eq true`, 'Forecast has no property is_latest; use run/is_latest'],
    [
      'Forecasts',
      `created_at ne null`,
      'Forecast has no property created_at; the known names are .*; put strings in quotes',
    ],
    ['Forecasts', `ds ge 20261201`, 'cannot compare a date with an integer'],
    ['Series', `id eq unique_id`, 'cannot compare a guid with a string'],
  ])('explains in %s of %s what the mistake is', async (set, filter, mistake) => {
    const { body } = await seeded.feed.get<ODataError>(set, { $filter: filter });
    expect(body.error.message).toMatch(new RegExp(`: ${mistake}$`));
  });

  it('refuses expressions that are too deep, too long or have too many parts', async () => {
    const refusal = async (filter: string): Promise<string> =>
      (await seeded.feed.get<ODataError>('Series', { $filter: filter })).body.error.message;
    expect(await refusal(`${'('.repeat(60)}true${')'.repeat(60)}`)).toContain('deep');
    expect(await refusal(`${'not '.repeat(60)}true`)).toContain('deep');
    expect(await refusal(Array.from({ length: 300 }, () => 'true').join(' or '))).toContain('parts');
    expect(await refusal(`unique_id eq '${'x'.repeat(8_000)}'`)).toContain('8000 characters');
  });

  it('reports a value that cannot be computed as a client error', async () => {
    for (const filter of [
      '9223372036854775807 add observations gt 0',
      `substring(unique_id,99999999999) eq ''`,
      'observations mul 1e308 mul 1e308 gt 1',
    ]) {
      const { status, body } = await seeded.feed.get<ODataError>('Series', { $filter: filter });
      expect([filter, status, body.error.message]).toEqual([filter, 400, expect.stringContaining('out of range')]);
    }
  });
});
