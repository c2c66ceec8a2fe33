import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { demandCsv, pagesOf } from '../support/api.js';
import { tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

const MEGABYTE = 2 ** 20;
const SERIES = 20;
const HORIZON = 2;

describe('a list whose rows are large', () => {
  let service: TestService;
  let api: Api;
  let run: string;

  beforeAll(async () => {
    service = await startTestService();
    ({ api } = await tenantWithDemand(service, demandCsv(SERIES, 24)));
    const overrides = { models: ['seasonal_naive'], backtest_windows: 0, horizon: HORIZON };
    run = (await api.run({ config_overrides: overrides })).id;
    await service.database.execute(`UPDATE series SET metadata = jsonb_build_object('note', repeat('x', $1))`, [
      MEGABYTE,
    ]);
    // runs that name 10,000 series each
    await service.database.execute(
      `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at)
       SELECT gen_random_uuid(), organization_id, workspace_id, 'canceled', 'api',
         json_build_object('series', json_build_object('unique_ids', array_fill(repeat('x', 100), ARRAY[10000]))), billed, created_at
       FROM runs CROSS JOIN generate_series(2, $1)`,
      [SERIES],
    );
  });
  afterAll(() => service.close());

  it.each([
    ['series', () => '/series?limit=1000', SERIES, 'unique_id'],
    ['runs', () => '/runs?limit=500', SERIES, 'id'],
    ['forecast rows', () => `/runs/${run}/forecasts?limit=10000`, SERIES * HORIZON, 'unique_id ds'],
  ])('of %s has pages of some megabytes, however many rows are asked for', async (_, path, rows, key) => {
    const sizes: number[] = [];
    const keys: string[] = [];
    for await (const page of pagesOf<Record<string, string>[]>(api, path())) {
      sizes.push(JSON.stringify(page).length);
      keys.push(
        ...page.map((row) =>
          key
            .split(' ')
            .map((name) => row[name])
            .join(' '),
        ),
      );
    }
    expect(Math.max(...sizes)).toBeLessThan(18 * MEGABYTE);
    expect(sizes.length).toBeLessThan(5);
    expect([keys.length, new Set(keys).size]).toEqual([rows, rows]);
  });
});
