import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunConfig } from '../../src/runs/run-config.js';
import { createTenant } from '../support/builders.js';
import { createPastRun, createSeries } from '../support/history.js';
import { sharedService } from '../support/shared-service.js';
import type { TestService } from '../support/test-service.js';
import { Feed, type Row, seedFeed } from './feed.js';

describe('the latest run of a workspace', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await sharedService();
  });

  const latestOf = async (feed: Feed): Promise<unknown[]> =>
    (await feed.rows('Runs', { $filter: 'is_latest', $select: 'id' })).map(({ id }) => id);

  it.each([
    ['of a single product', { horizon: 1, series: { unique_ids: ['A-1'] } }],
    ['up to a past month', { horizon: 3, cutoff: '2025-01-01' }],
  ])('stays the latest in all sets when a run %s comes after it', async (_, config_overrides) => {
    const { api, feed, runs, workspaceId } = await seedFeed(service);
    const read = async () => ({
      runs: await latestOf(feed),
      forecasts: (await feed.get<string>('Forecasts/$count', { $filter: 'run/is_latest' })).text,
      byRun: await feed.rows('Forecasts', { $apply: 'filter(run/is_latest)/groupby((run_id))' }),
      stocks: await feed.rows('SafetyStocks'),
    });
    const before = await read();
    expect(before.runs).toEqual([runs[1]]);
    expect(new Set(before.stocks.map((row) => row['run_id']))).toEqual(new Set([runs[1]]));
    await api.run({ workspace_id: workspaceId, config_overrides });
    expect(await read()).toEqual(before);
  });

  it.each<[set: string, options: Record<string, string>]>([
    ['Forecasts', { $filter: 'run/is_latest' }],
    ['Forecasts', { $apply: 'filter(run/is_latest)/groupby((run_id,ds),aggregate(mean with sum as total))' }],
    ['SeriesMetrics', { $orderby: 'run/is_latest desc,unique_id', $filter: 'run/is_latest' }],
  ])('of the first page of %s is that of all pages, although another completes meanwhile: %j', async (set, options) => {
    const { api, feed, runs, workspaceId } = await seedFeed(service);
    const whole = await feed.rows(set, options);
    const read: Row[] = [];
    for await (const page of feed.pages(set, options, 5)) {
      if (read.length === 0) await api.run({ workspace_id: workspaceId });
      read.push(...page.value);
    }
    expect(await latestOf(feed)).not.toEqual([runs[1]]);
    expect(read).toEqual(whole);
  });

  it('of the first page is that of a count asked for with a further page', async () => {
    const { api, feed, workspaceId } = await seedFeed(service);
    const { body } = await feed.get(
      'Forecasts',
      { $filter: 'run/is_latest', $count: 'true' },
      { prefer: 'maxpagesize=5' },
    );
    await api.run({ workspace_id: workspaceId });
    const further = await feed.fetch(`${body['@odata.nextLink']!}&$count=true`);
    expect(further.body['@odata.count']).toBe(body['@odata.count']);
    expect(await feed.rows('Forecasts', { $filter: 'run/is_latest' })).not.toHaveLength(body['@odata.count']!);
  });

  const OF_SOME: Partial<RunConfig> = { series: { unique_ids: ['A'] } };
  const OF_THE_PAST: Partial<RunConfig> = { cutoff: '2024-01-01' };
  it.each<[string, readonly [finishedHour: number, config: Partial<RunConfig>, status?: string][]]>([
    [
      'is the one that completed last, not the one started last',
      [
        [9, {}],
        [8, {}],
        [7, OF_SOME],
      ],
    ],
    [
      'is not a partial or past one that completed later',
      [
        [7, {}],
        [6, {}],
        [8, OF_SOME],
        [9, OF_THE_PAST],
      ],
    ],
    [
      'is not one that failed',
      [
        [7, {}],
        [6, OF_SOME],
        [8, {}, 'failed'],
      ],
    ],
    [
      'is the last partial or past one if there is no other',
      [
        [8, OF_THE_PAST],
        [7, OF_SOME],
        [9, {}, 'canceled'],
      ],
    ],
  ])('%s', async (_, runs) => {
    const { organizationId, workspaceId, organizationKey } = await createTenant(service, { plan: 'scale' });
    const tenant = { organizationId, workspaceId };
    const seriesIds = [await createSeries(service.database, tenant)];
    const ids: string[] = [];
    for (const [hour, config, status = 'completed'] of runs) {
      const finishedAt = new Date(Date.UTC(2025, 0, 1, hour));
      ids.push(await createPastRun(service.database, tenant, { finishedAt, config, status, seriesIds }));
    }
    const feed = new Feed(service.url, organizationKey);
    expect(await latestOf(feed)).toEqual([ids[0]]);
    // and gives way to the next where it is deleted
    await service.database.execute('DELETE FROM runs WHERE id = $1', [ids[0]]);
    expect(await latestOf(feed)).toEqual([ids[1]]);
  });
});
