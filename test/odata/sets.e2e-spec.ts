import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppClient } from '../support/app-client.js';
import { createMember, createTenant, UNKNOWN_ID } from '../support/builders.js';
import { createSeries } from '../support/history.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';
import { Feed, type Row, type SeededFeed, seedFeed } from './feed.js';

const SETS = [
  'Workspaces',
  'Series',
  'Actuals',
  'Runs',
  'Forecasts',
  'SeriesMetrics',
  'Totals',
  'SafetyStocks',
  'Alerts',
];

describe('the sets', () => {
  let service: TestService;
  let seeded: SeededFeed;
  beforeAll(async () => {
    service = await sharedService();
    seeded = await seedFeed(service);
  });

  const list = async (path: string): Promise<Row[]> => (await seeded.api.get<Row[]>(path)).body;
  /** The feed names the successor of a series; what one has replaced follows from that of the others. */
  const withoutReplaced = ({ replaces: _, ...series }: Row): Row => series;
  const by = (name: string) => (a: Row, b: Row) => (String(a[name]) < String(b[name]) ? -1 : 1);

  it('are listed in the service document', async () => {
    const { body } = await seeded.feed.get('');
    expect(body).toEqual({
      '@odata.context': `${seeded.feed.root}/$metadata`,
      value: SETS.map((name) => ({ name, kind: 'EntitySet', url: name })),
    });
  });

  it('are found with a trailing slash, as some clients write it', async () => {
    const [series] = await seeded.feed.rows('Series');
    for (const path of ['Series', '$metadata', 'Series/$count', `Series(${String(series!['id'])})/unique_id/$value`]) {
      const plain = await seeded.feed.get<string>(path);
      const slashed = await seeded.feed.get<string>(`${path}/`);
      expect([path, slashed.status, slashed.text]).toEqual([path, 200, plain.text]);
    }
    expect(await seeded.feed.rows('Series/', { $filter: `unique_id eq 'A-1'` })).toHaveLength(1);
    expect((await seeded.feed.get('Series//')).status).toBe(404);
  });

  it('return the same series as the public API', async () => {
    const series = (await list('/series?limit=100')).map(withoutReplaced).sort(by('id'));
    const rows = await seeded.feed.rows('Series');
    expect(
      rows.map(({ metadata, ...row }) => ({
        ...row,
        metadata: JSON.parse(String(metadata)) as Row,
      })),
    ).toEqual(series);
    for (const { id, trend_label: trend } of rows) {
      const forecast = await seeded.api.get(`/series/${String(id)}/forecast?run_id=${seeded.runs[1]}`);
      expect([forecast.status, trend]).toEqual([200, forecast.body['trend_label']]);
    }
  });

  it('return a series without demand as the public API does', async () => {
    const { organizationId, workspaceId } = seeded;
    await createSeries(service.database, { organizationId, workspaceId }, 'EMPTY');
    await service.database.execute(
      `DELETE FROM demand USING series WHERE series.id = demand.series_id AND series.workspace_id = $1 AND unique_id = 'EMPTY'`,
      [workspaceId],
    );
    try {
      const [{ metadata, ...row }] = (await seeded.feed.rows('Series', { $filter: `unique_id eq 'EMPTY'` })) as [Row];
      expect(metadata).toBe('{}');
      expect([{ ...row, metadata: {} }]).toEqual((await list('/series?unique_id=EMPTY')).map(withoutReplaced));
    } finally {
      await service.database.execute(`DELETE FROM series WHERE workspace_id = $1 AND unique_id = 'EMPTY'`, [
        workspaceId,
      ]);
    }
  });

  it('return the same runs as the public API', async () => {
    const runs = (await list('/runs')).sort(by('id'));
    const rows = await seeded.feed.rows('Runs');
    expect(rows.map(({ id, is_latest: latest }) => [id, latest])).toEqual([
      [seeded.runs[0], false],
      [seeded.runs[1], true],
    ]);
    rows.forEach((row, index) => {
      const { metrics, progress, config, ...run } = runs[index] as Record<string, Row> & Row;
      for (const name of ['status', 'trigger', 'billed', 'created_at', 'started_at', 'finished_at', 'workspace_id'])
        expect([name, row[name]]).toEqual([name, run[name]]);
      for (const name of ['wape', 'mase', 'rmsse', 'bias', 'coverage', 'skill', 'backtest_months', 'series_forecast'])
        expect([name, row[name]]).toEqual([name, metrics![name]]);
      expect([row['series_total'], row['horizon']]).toEqual([progress!['series_total'], config!['horizon']]);
    });
  });

  it('return the same forecasts as the public API, with overrides applied', async () => {
    for (const run of seeded.runs) {
      const plain = await list(`/runs/${run}/forecasts?limit=10000&apply_overrides=true`);
      const select = 'unique_id,ds,q10,q50,q90,final,product_name,category,unit,model,mean';
      const options = { $filter: `run_id eq ${run}`, $orderby: 'unique_id,ds', $select: select };
      const rows = await seeded.feed.rows('Forecasts', options);
      expect(rows.length).toBeGreaterThan(20);
      expect(rows).toEqual(plain.map(({ metadata: _metadata, ...row }) => row));
      expect(rows.some((row) => row['final'] !== row['q50'])).toBe(true);
    }
  });

  it.each([
    ['delta', (median: number) => Number((0.000_01 - median).toFixed(6))],
    ['delta', (median: number) => -2 * median],
    ['delta', () => 0.123_456_789_012_3],
    ['percent', () => -33.3],
    ['percent', () => -150],
    ['absolute', () => 12.5],
  ] as const)('return the same final as the public API for an override of kind %s', async (kind, valueFor) => {
    const { organizationId, workspaceId, runs } = seeded;
    const path = `/runs/${runs[1]}/forecasts?series_id=C-2&limit=1&apply_overrides=true`;
    const [{ ds, q50 }] = (await list(path)) as [Row];
    const value = valueFor(Number(q50));
    const [{ id }] = (await service.database.query<{ id: string }>(
      `INSERT INTO overrides (id, organization_id, workspace_id, series_id, month, kind, value, reason, author, created_at)
       SELECT gen_random_uuid(), $1, $2, id, $3, $4, $5, 'a promotion', 'test', now() FROM series WHERE unique_id = 'C-2' AND workspace_id = $2
       RETURNING id`,
      [organizationId, workspaceId, ds, kind, value],
    )) as [{ id: string }];
    try {
      const [{ final }] = (await list(path)) as [Row];
      const $filter = `run_id eq ${runs[1]} and unique_id eq 'C-2' and ds eq ${String(ds)}`;
      expect(await seeded.feed.rows('Forecasts', { $filter, $select: 'final' })).toEqual([{ final }]);
      expect(final).not.toBe(q50);
    } finally {
      await service.database.execute('DELETE FROM overrides WHERE id = $1', [id]);
    }
  });

  it('return the same series metrics as the public API', async () => {
    for (const run of seeded.runs) {
      const metrics = await list(`/runs/${run}/series-metrics?limit=500`);
      const rows = await seeded.feed.rows('SeriesMetrics', { $filter: `run_id eq ${run}`, $orderby: 'unique_id' });
      expect(
        rows.map(({ run_id: _run, workspace_id: _workspace, category: _category, unit: _unit, ...row }) => row),
      ).toEqual(metrics);
      expect(rows.filter(({ wape }) => wape === null).length).toBeGreaterThan(0);
    }
    const $filter = `run/is_latest eq true and wape ge 0 and series/category eq 'Care'`;
    const rows = await seeded.feed.rows('SeriesMetrics', { $filter, $expand: 'series($select=unique_id)' });
    expect(rows.length).toBeGreaterThan(0);
    for (const { run_id, unique_id, series } of rows) expect([run_id, series]).toEqual([seeded.runs[1], { unique_id }]);
  });

  it('include forecasts and series metrics of completed runs only', async () => {
    const [before] = await seeded.feed.rows('Forecasts', { $apply: 'aggregate($count as n)' });
    await service.database.execute(`UPDATE runs SET status = 'running' WHERE id = $1`, [seeded.runs[0]]);
    const during = await seeded.feed.rows('Forecasts', { $apply: 'groupby((run_id),aggregate($count as n))' });
    const metrics = await seeded.feed.rows('SeriesMetrics', { $apply: 'groupby((run_id))' });
    await service.database.execute(`UPDATE runs SET status = 'completed' WHERE id = $1`, [seeded.runs[0]]);
    for (const rows of [during, metrics]) expect(rows.map((row) => row['run_id'])).toEqual([seeded.runs[1]]);
    expect(Number(before!['n'])).toBeGreaterThan(Number(during[0]!['n']));
  });

  it.each(SETS)('count as many %s as they list', async (set) => {
    const rows = await seeded.feed.allRows(set, {}, 10_000);
    expect((await seeded.feed.get<string>(`${set}/$count`)).text).toBe(String(rows.length));
    expect((await seeded.feed.get(set, { $count: 'true', $top: '1' })).body['@odata.count']).toBe(rows.length);
    expect((await seeded.feed.get<string>(`${set}/$count`, { $apply: 'filter(false)' })).text).toBe('0');
  });

  it.each([
    ['Forecasts', 'run/is_latest'],
    ['Forecasts', `run/horizon eq 3 and unique_id ne 'A-1'`],
    ['Forecasts', `category eq 'Care' and ds lt 2025-10-01`],
    ['Actuals', `category eq 'Care' and series/workspace/time_zone eq 'UTC'`],
    ['Actuals', `unique_id eq 'DAILY' and y gt 1`],
  ])('count as many %s as they list for %s', async (set, $filter) => {
    const rows = await seeded.feed.allRows(set, { $filter }, 10_000);
    expect(rows.length).toBeGreaterThan(0);
    expect((await seeded.feed.get<string>(`${set}/$count`, { $filter })).text).toBe(String(rows.length));
    const applied = { $apply: `filter(${$filter})`, $count: 'true', $top: '1' };
    expect((await seeded.feed.get(set, applied)).body['@odata.count']).toBe(rows.length);
  });

  it('accept $count in any case, as Python writes it, and refuse invalid values', async () => {
    const count = async ($count: string): Promise<unknown> =>
      (await seeded.feed.get('Series', { $count, $top: '0' })).body['@odata.count'];
    expect(await count('True')).toBe(8);
    expect(await count('False')).toBeUndefined();
    expect((await seeded.feed.get('Series', { $count: '1' })).status).toBe(400);
  });

  it('are counted the same with options that only shape a list', async () => {
    const shaping = { $orderby: 'unique_id desc', $expand: 'workspace', $top: '2', $skip: '3' };
    const filter = { $filter: `unique_id ne 'A-1'` };
    expect((await seeded.feed.get<string>('Series/$count', { ...filter, ...shaping })).text).toBe('7');
    expect((await seeded.feed.get('Series/$count', { $top: '-1' })).status).toBe(400);
  });

  it('return counts as strings to clients that ask for IEEE754Compatible numbers, and declare it', async () => {
    const ask = async (accept: string, options = {}): Promise<unknown[]> => {
      const { headers, body } = await seeded.feed.get('Series', { $count: 'true', $top: '1', ...options }, { accept });
      return [headers.get('content-type'), body['@odata.count'], body.value[0]!['observations']];
    };
    const plain = 'application/json;odata.metadata=minimal';
    const [, , observations] = await ask(plain);
    expect(await ask(`${plain};IEEE754Compatible=true`)).toEqual([
      `${plain};IEEE754Compatible=true;charset=utf-8`,
      '8',
      observations,
    ]);
    expect(await ask('*/*', { $format: 'application/json;ieee754compatible=TRUE;odata.metadata=none' })).toEqual([
      'application/json;odata.metadata=none;IEEE754Compatible=true;charset=utf-8',
      '8',
      observations,
    ]);
    expect(await ask(`${plain};IEEE754Compatible=false`)).toEqual([`${plain};charset=utf-8`, 8, observations]);
    expect(observations).toEqual(expect.any(Number));
  });

  it('count nothing for an incomplete run or an organization without runs', async () => {
    await service.database.execute(`UPDATE runs SET status = 'running' WHERE id = $1`, [seeded.runs[0]]);
    const rows = await seeded.feed.allRows('Forecasts', {}, 10_000);
    const count = await seeded.feed.get<string>('Forecasts/$count');
    await service.database.execute(`UPDATE runs SET status = 'completed' WHERE id = $1`, [seeded.runs[0]]);
    expect(count.text).toBe(String(rows.length));
    const { organizationKey } = await createTenant(service, { plan: 'scale' });
    const empty = new Feed(service.url, organizationKey);
    for (const set of ['Forecasts', 'Actuals']) expect((await empty.get<string>(`${set}/$count`)).text).toBe('0');
  });

  it('return demand as it was uploaded', async () => {
    const rows = await seeded.feed.rows('Actuals', { $filter: `unique_id eq 'DAILY'`, $select: 'ds,y,month' });
    const expected = Array.from({ length: 60 }, (_, day) => {
      const ds = new Date(Date.UTC(2025, 3, 1 + day)).toISOString().slice(0, 10);
      return { ds, month: `${ds.slice(0, 7)}-01`, y: day % 4 };
    });
    expect(rows).toEqual(expected);
    expect(
      await seeded.feed.rows('Actuals', { $filter: `unique_id eq 'A-1' and ds lt 2023-03-01`, $select: 'y' }),
    ).toEqual([{ y: 20 }, { y: Number((20 + 5 * Math.sin(1) + 2).toFixed(3)) }]);
  });

  it('return the same safety stock as the public API, by the latest completed run', async () => {
    const rows = await seeded.feed.rows('SafetyStocks');
    expect(rows.length).toBeGreaterThanOrEqual(7);
    expect(rows.map((row) => row['warnings'])).toContainEqual(expect.stringContaining('No backtest error'));
    for (const { workspace_id: workspace, category: _category, ...row } of rows) {
      const path = `/runs/${seeded.runs[1]}/safety-stock/${String(row['series_id'])}`;
      const { body } = await seeded.api.get(path);
      expect(workspace).toBe(seeded.workspaceId);
      const { assumptions: _assumptions, warnings, ...advice } = body;
      // what depends on the day of the question is not stored
      const stored = (warnings as string[]).filter(
        (warning) => !/^The (lead time covers|overrides? of) /.test(warning),
      );
      expect(row).toEqual({ ...advice, warnings: stored.length === 0 ? null : stored.join(' ') });
    }
    // again, from what is stored
    expect(await seeded.feed.rows('SafetyStocks')).toEqual(rows);
    const stored = await service.database.query(
      'SELECT DISTINCT run_id FROM safety_stocks WHERE organization_id = $1',
      [seeded.organizationId],
    );
    expect(stored).toEqual([{ run_id: seeded.runs[1] }]);
  });

  it('return the same totals as the public API, by the latest completed run', async () => {
    const totals = await list(`/runs/${seeded.runs[1]}/totals`);
    expect(new Set(totals.map(({ category }) => category))).toEqual(
      new Set(['Care', 'Obst & Gemüse', 'Tea "fine"', null]),
    );
    const placeOf = ({ category, unit, ds }: Row): string => [category, unit, ds].map(String).join();
    const inOrder = (rows: Row[]): Row[] => rows.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const rows = await seeded.feed.rows('Totals');
    expect(inOrder(rows.map(({ total_id: _total, ...row }) => row))).toEqual(
      inOrder(
        totals.map(({ months: _months, ...total }) => ({
          ...total,
          run_id: seeded.runs[1],
          workspace_id: seeded.workspaceId,
        })),
      ),
    );
    const groups = new Set(rows.map(({ category, unit }) => JSON.stringify([category, unit])));
    expect(groups.size).toBeGreaterThan(new Set(rows.map(({ category }) => category)).size);
    expect(new Set(rows.map((row) => row['total_id'])).size).toBe(groups.size);
    const sum = await seeded.feed.rows('Totals', { $apply: 'aggregate(mean with sum as mean)' });
    const $apply = 'filter(run/is_latest)/aggregate(mean with sum as mean)';
    const [forecasts] = await seeded.feed.rows('Forecasts', { $apply });
    expect(sum).toEqual([{ mean: expect.closeTo(Number(forecasts!['mean']), 1) }]);
  });

  it('have the totals of the present series, categories and units', async () => {
    const other = await seedFeed(service);
    const read = async (): Promise<string[]> => {
      const rows = await other.feed.rows('Totals', { $apply: 'groupby((category,unit,series))' });
      return rows.map(({ category, unit, series }) => [category, unit, series].map(String).join(' '));
    };
    expect(await read()).toContain('Obst & Gemüse kg 2');
    expect((await other.api.upload(other.workspaceId, 'unique_id,category\nA-1,Obst & Gemüse\n')).status).toBe(200);
    expect(await read()).toContain('Obst & Gemüse kg 3');
    const admin = new AppClient(
      service.url,
      (await createMember(service.database, other.organizationId, 'admin')).token,
    );
    const edited = await admin.patch(`/workspaces/${other.workspaceId}/series/B-1`, { unit: 'boxes' });
    expect(edited.status).toBe(200);
    expect(await read()).toEqual(expect.arrayContaining(['Obst & Gemüse kg 2', 'Obst & Gemüse boxes 1']));
    const removed = await admin.delete(`/workspaces/${other.workspaceId}/series/B-1`);
    expect(removed.status).toBe(204);
    expect((await read()).join()).not.toContain('boxes');
  });

  it('return the same alerts as the public API', async () => {
    const alerts = (await list('/alerts?unread=false')).sort(by('id'));
    const rows = await seeded.feed.rows('Alerts');
    expect(rows.map(({ category: _category, unit: _unit, ...row }) => row)).toEqual(alerts);
    expect(rows.length).toBeGreaterThan(4);
  });

  it('return a raw property value as text', async () => {
    const [series] = await seeded.feed.rows('Series', { $filter: `unique_id eq 'B-1'` });
    const at = `Series(${String(series!['id'])})`;
    const values = await Promise.all(
      ['unique_id', 'important', 'observations'].map(async (name) => {
        const { headers, text } = await seeded.feed.get(`${at}/${name}/$value`);
        return [headers.get('content-type'), text];
      }),
    );
    const plain = 'text/plain;charset=utf-8';
    expect(values).toEqual([
      [plain, 'B-1'],
      [plain, String(series!['important'])],
      [plain, String(series!['observations'])],
    ]);
    const [alert] = await seeded.feed.rows('Alerts', { $filter: 'read_at eq null', $top: '1' });
    expect((await seeded.feed.get(`Alerts(${String(alert!['id'])})/read_at/$value`)).status).toBe(204);
    expect((await seeded.feed.get(`${at}/workspace/$value`)).status).toBe(404);
    expect((await seeded.feed.get(`${at}/unique_id/$value`, { $select: 'id' })).status).toBe(400);
  });

  it('return an entity by its key, and its properties', async () => {
    const [series] = await seeded.feed.rows('Series', { $filter: `unique_id eq 'B-1'` });
    const at = `Series(${String(series!['id'])})`;
    const context = `${seeded.feed.root}/$metadata#`;
    expect((await seeded.feed.get<Row>(at)).body).toEqual({ '@odata.context': `${context}Series/$entity`, ...series });
    const selected = { $select: 'unique_id', $expand: 'workspace($select=id)' };
    expect((await seeded.feed.get<Row>(at, selected)).body).toEqual({
      '@odata.context': `${context}Series(unique_id,workspace(id))/$entity`,
      unique_id: 'B-1',
      workspace: { id: seeded.workspaceId },
    });
    expect((await seeded.feed.get<Row>(`${at}/unique_id`)).body).toEqual({
      '@odata.context': `${context}${at}/unique_id`,
      value: 'B-1',
    });
    expect((await seeded.feed.get<Row>(`${at}/workspace`, { $select: 'id' })).body).toEqual({
      '@odata.context': `${context}Workspaces(id)/$entity`,
      id: seeded.workspaceId,
    });
    const stock = `SafetyStocks(${String(series!['id'])})`;
    const beyond = { $select: 'unit', $expand: 'workspace($select=id)' };
    expect((await seeded.feed.get<Row>(`${stock}/series`, beyond)).body).toEqual({
      '@odata.context': `${context}Series(unit,workspace(id))/$entity`,
      unit: 'kg',
      workspace: { id: seeded.workspaceId },
    });
    for (const option of ['$select', '$expand'])
      expect([option, (await seeded.feed.get(`${at}/unique_id`, { [option]: 'workspace' })).status]).toEqual([
        option,
        400,
      ]);
    // the link of a navigation, which minimal metadata does not show
    const linked = { $select: 'workspace' };
    expect((await seeded.feed.get<Row>(at, linked)).body).toEqual({
      '@odata.context': `${context}Series(workspace)/$entity`,
    });
    expect((await seeded.feed.get(at, linked, { accept: 'application/json;odata.metadata=none' })).body).toEqual({});
    const [alert] = await seeded.feed.rows('Alerts', { $filter: 'read_at eq null', $top: '1' });
    expect((await seeded.feed.get(`Alerts(${String(alert!['id'])})/read_at`)).status).toBe(204);
  });

  it.each(['Actuals', 'Forecasts', 'SeriesMetrics', 'Totals', 'SafetyStocks', 'Alerts', 'Runs'])(
    'return one of the %s by its key',
    async (set) => {
      const [row] = await seeded.feed.rows(set, { $skip: '1', $top: '1' });
      const { text } = await seeded.feed.get<string>('$metadata');
      const type = new RegExp(`Name="${set}" EntityType="Forecasting\\.(\\w+)"`).exec(text)![1]!;
      const keys = [
        ...new RegExp(`EntityType Name="${type}">\\s*<Key>([\\s\\S]*?)</Key>`)
          .exec(text)![1]!
          .matchAll(/Name="(\w+)"/g),
      ];
      const predicate = keys.map(([, name]) => `${name}=${String(row![name!])}`).join(',');
      const { status, body } = await seeded.feed.get<Row>(`${set}(${predicate})`);
      expect([status, body]).toMatchObject([200, row]);
    },
  );

  it.each([
    `Series(${UNKNOWN_ID})`,
    'Series(nonsense)',
    `Series('${UNKNOWN_ID}')`,
    'Series()',
    `Series(id=${UNKNOWN_ID},id2=1)`,
    `Series(unique_id='A-1')`,
    `Actuals(${UNKNOWN_ID})`,
    `Actuals(series_id=${UNKNOWN_ID},ds=2025-01-01)`,
    `Actuals(series_id=${UNKNOWN_ID},ds='2025-01-01')`,
    `Actuals(series_id=${UNKNOWN_ID},ds=2025-02-30)`,
    `Series(${UNKNOWN_ID})/workspace`,
    `Series/unique_id`,
    `Series/$count/$count`,
    `Series(${UNKNOWN_ID})/$count`,
  ])('answer 404 to %s', async (path) => {
    expect((await seeded.feed.get(path)).status).toBe(404);
  });

  it('select, expand and omit metadata on request', async () => {
    const options = {
      $select: 'ds',
      $expand: 'run($select=horizon),series($expand=workspace($select=name))',
      $top: '1',
    };
    const [row] = await seeded.feed.rows('Forecasts', options);
    expect(Object.keys(row!)).toEqual(['ds', 'run', 'series']);
    expect(row!['run']).toEqual({ horizon: 3 });
    expect((row!['series'] as Row)['workspace']).toEqual({ name: expect.stringContaining('Workspace') });
    const all = await seeded.feed.rows('Alerts', { $expand: '*', $select: '*', $top: '1' });
    expect(Object.keys(all[0]!)).toEqual(expect.arrayContaining(['workspace', 'series', 'run', 'message']));
    for (const headers of [{ accept: 'application/json;odata.metadata=none' }, {}]) {
      const { body } = await seeded.feed.get(
        'Series',
        'accept' in headers ? {} : { $format: 'json;odata.metadata=none' },
        headers,
      );
      expect(Object.keys(body)).toEqual(['value']);
    }
    const powerBi =
      'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atomsvc+xml;q=0.8';
    expect((await seeded.feed.get('', {}, { accept: powerBi })).headers.get('content-type')).toBe(
      'application/json;odata.metadata=minimal;charset=utf-8',
    );
    expect((await seeded.feed.get('Series', {}, { accept: 'application/atom+xml' })).status).toBe(406);
  });

  it('return null for an expanded entity that no longer exists', async () => {
    await service.database.execute('UPDATE alerts SET run_id = $1 WHERE workspace_id = $2', [
      UNKNOWN_ID,
      seeded.workspaceId,
    ]);
    const rows = await seeded.feed.rows('Alerts', { $expand: 'run', $filter: 'run/status eq null' });
    await service.database.execute('UPDATE alerts SET run_id = $1 WHERE workspace_id = $2', [
      seeded.runs[1],
      seeded.workspaceId,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row['run'] === null)).toBe(true);
  });

  it('sort by expressions, nulls first when ascending and last when descending', async () => {
    const names = async ($orderby: string) =>
      (await seeded.feed.rows('Series', { $orderby, $select: 'unique_id,category' })).map((row) => row['category']);
    const up = await names('category,unique_id desc');
    const down = await names('category desc,unique_id');
    expect([up[0], down.at(-1)]).toEqual([null, null]);
    const known = (values: unknown[]) => values.filter((value) => value !== null);
    expect(known(up)).toEqual(known(up).sort());
    expect(known(down)).toEqual(known(down).sort().reverse());
    expect(await names('unique_id,unique_id desc')).toEqual(await names('unique_id'));
    const byLength = await seeded.feed.rows('Series', { $orderby: 'length(unique_id) desc,unique_id asc' });
    expect(byLength[0]!['unique_id']).toBe('DAILY');
  });

  it('are described in JSON as in XML', async () => {
    const { body } = await seeded.feed.get<Record<string, Record<string, Row>>>('$metadata', { $format: 'json' });
    const { text } = await seeded.feed.get<string>('$metadata');
    const types = Object.entries(body['Forecasting']!).filter(([, type]) => type['$Kind'] === 'EntityType');
    expect(types).toHaveLength(9);
    for (const [name, type] of types) {
      expect(text).toContain(`<EntityType Name="${name}">`);
      const members = Object.keys(type).filter((member) => !member.startsWith('$'));
      for (const member of members) expect(text).toContain(`Name="${member}"`);
    }
  });

  it('omit metrics of series computed by a release before them', async () => {
    await service.database.execute(`UPDATE forecasts SET backtest_months = NULL WHERE run_id = $1`, [seeded.runs[0]]);
    expect(await seeded.feed.rows('SeriesMetrics', { $apply: 'groupby((run_id))' })).toEqual([
      { run_id: seeded.runs[1] },
    ]);
  });
});
