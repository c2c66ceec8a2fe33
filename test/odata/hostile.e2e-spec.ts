import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readFeed } from '../../src/odata/feed.queries.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';
import { Feed, type ODataError, type SeededFeed, seedFeed, sharedFeed } from './feed.js';

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 600);
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

/** Texts that end a string, a statement or a comment somewhere. */
const INJECTIONS = [
  `' OR '1'='1`,
  `'; DROP TABLE series; --`,
  `'' OR 1=1 --`,
  `\\'; SELECT pg_sleep(5); --`,
  `$1`,
  `$$; SELECT 1; $$`,
  `/* */`,
  `"; DROP TABLE series; --`,
  `x' UNION SELECT hash FROM api_keys --`,
  `%' OR organization_id IS NOT NULL --`,
  `\u02bc OR 1=1`,
  `'||(SELECT version())||'`,
];

/** Pieces of the language, to be put together in any order. */
const PIECES = [
  ...['unique_id', 'category', 'important', 'created_at', 'first_month', 'observations', 'workspace/name', 'nothing'],
  ...['eq', 'ne', 'gt', 'le', 'and', 'or', 'not', 'in', 'add', 'div', 'mod', 'mul', 'sub', 'with', 'as', 'desc', 'asc'],
  ...[
    '(',
    ')',
    ',',
    '/',
    '-',
    '=',
    ';',
    '*',
    ':',
    "'",
    "''",
    "'a'",
    '1',
    '-1',
    '1.5',
    '1e308',
    'INF',
    'NaN',
    '99999999999999999999',
  ],
  ...[
    'null',
    'true',
    'false',
    'now()',
    '2025-01-01',
    '2025-01-01T00:00:00Z',
    '0000-01-01',
    '9999-12-31',
    '019a8f3c-0000-7000-8000-00000000dead',
  ],
  ...['contains(', 'length(', 'substring(', 'year(', 'round(', 'concat(', 'trim(', 'date(', 'hour(', 'indexof('],
  ...[
    'groupby((',
    'aggregate(',
    'filter(',
    'sum',
    '$count',
    '$it',
    '@p',
    '\u0000',
    '\ud83c\udf75',
    'ä',
    '%',
    '_',
    '\\',
  ],
];

/** What is right for one option or another, so that not everything is refused at the door. */
const RIGHT = ['1', '*', 'json', 'true', 'null eq null', 'workspace', 'aggregate($count as n)', 'now() gt 2025-01-01'];

describe('hostile requests', () => {
  let service: TestService;
  let seeded: SeededFeed;
  let other: SeededFeed;
  beforeAll(async () => {
    service = await sharedService();
    seeded = await sharedFeed();
    other = await seedFeed(service);
  });

  it.each(INJECTIONS)('cannot make %s more than a string, wherever it is written', async (text) => {
    const quoted = `'${text.replaceAll("'", "''")}'`;
    for (const filter of [
      `unique_id eq ${quoted}`,
      `contains(product_name,${quoted})`,
      `unique_id in (${quoted},'x')`,
    ]) {
      const { status, body } = await seeded.feed.get('Series', { $filter: filter });
      expect([filter, status, body.value]).toEqual([filter, 200, []]);
    }
    const options = [
      '$filter',
      '$orderby',
      '$select',
      '$expand',
      '$apply',
      '$top',
      '$skip',
      '$count',
      '$skiptoken',
      '$format',
    ];
    for (const option of options) {
      const { status, body } = await seeded.feed.get('Series', { [option]: text });
      // some are constants by OData's grammar, and rows can be sorted by a constant
      const harmless = status === 200 ? body.value.length === 8 : [400, 406, 501].includes(status);
      expect([option, harmless]).toEqual([option, true]);
    }
    for (const path of [
      `Series(${encodeURIComponent(text)})`,
      `Series/${encodeURIComponent(text)}`,
      encodeURIComponent(text),
    ])
      expect([path, [404, 501].includes((await seeded.feed.get(path)).status)]).toEqual([path, true]);
    expect((await seeded.feed.get('Series', { $apply: `aggregate($count as ${text})` })).status).toBe(400);
    expect((await seeded.feed.get<string>('Series/$count')).text).toBe('8');
  });

  it('cannot write, whatever the statement', async () => {
    const written = readFeed(service.database, (tx) => tx.execute('DELETE FROM series WHERE false'));
    await expect(written).rejects.toMatchObject({ code: '25006' });
  });

  it(`${REQUESTS} generated queries get no 5xx and no other tenant's row, and errors have a position`, async () => {
    const feed = new Feed(service.url, '');
    const text = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(' ')),
      },
      { weight: 2, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join('')) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
      { weight: 3, arbitrary: fc.constantFrom(...RIGHT) },
    );
    const option = fc.constantFrom(
      '$filter',
      '$filter',
      '$filter',
      '$orderby',
      '$select',
      '$expand',
      '$apply',
      '$top',
      '$skip',
      '$format',
      '$search',
    );
    const set = fc.constantFrom(
      'Series',
      'Actuals',
      'Runs',
      'Forecasts',
      'SeriesMetrics',
      'Totals',
      'SafetyStocks',
      'Alerts',
      'Workspaces',
      'Series/$count',
    );
    const query = fc.dictionary(option, text, { minKeys: 1, maxKeys: 2 });
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    for (const [resource, options] of fc.sample(fc.tuple(set, query), { seed: SEED, numRuns: REQUESTS })) {
      const url = feed.url(
        resource,
        Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value.toWellFormed()])),
      );
      const { status, text: body, headers } = await seeded.feed.fetch<ODataError>(url);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const fault =
        (![200, 400, 406, 501].includes(status) && `answered ${status}`) ||
        (headers.get('odata-version') !== '4.0' && 'has no version') ||
        (status === 400 && !(JSON.parse(body) as ODataError).error.message && 'does not say why') ||
        (body.includes(other.workspaceId) && 'shows a stranger') ||
        (/SELECT|pg_|node_modules/.test(body) && status !== 200 && 'tells of its inside');
      if (fault) wrong.push(`${url} ${fault}: ${body.slice(0, 200)}`);
    }
    expect(wrong).toEqual([]);
    expect(statuses.get(400)).toBeGreaterThan(REQUESTS / 4);
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 50);
  });

  it('get rows for randomly generated valid conditions', async () => {
    const leaf = fc.constantFrom(
      `unique_id eq 'A-1'`,
      `category ne null`,
      `important`,
      `observations add 1 gt 20`,
      `length(product_name) le 12`,
      `year(created_at) ge 2020`,
      `first_month in (2023-01-01,null)`,
      `round(observations div 7) eq 4`,
      `contains(tolower(concat(unique_id,category)),'a')`,
      `workspace/time_zone eq 'UTC'`,
    );
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `${a} and ${b}`),
        fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) or (${b})`),
        tie('condition').map((a) => `not (${a})`),
      ),
    }));
    const all = Number((await seeded.feed.get<string>('Series/$count')).text);
    for (const filter of fc.sample(condition, { seed: SEED, numRuns: 100 })) {
      const [yes, no] = [
        await seeded.feed.get<string>('Series/$count', { $filter: filter }),
        await seeded.feed.get<string>('Series/$count', { $filter: `not (${filter})` }),
      ];
      expect([filter, yes.status, no.status]).toEqual([filter, 200, 200]);
      // a function of null is neither true nor false
      expect(Number(yes.text) + Number(no.text)).toBeLessThanOrEqual(all);
    }
  });
});
