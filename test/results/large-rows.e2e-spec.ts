import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordAudit, verifyAuditChain } from '../../src/access/index.js';
import { readChain } from '../../src/access/audit/audit.queries.js';
import { readDescribedForecasts } from '../../src/forecasts/index.js';
import { Database } from '../../src/platform/database/database.js';
import { asTenant } from '../../src/platform/database/scope.js';
import { SafetyStocks } from '../../src/runs/stock/safety-stocks.js';
import { Api, demandCsv, pagesOf } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { type Tenant, tenantWithDemand } from '../support/tenant-with-demand.js';
import { startTestService, type TestService } from '../support/test-service.js';

const MEGABYTE = 2 ** 20;
const SERIES = 20;
const HORIZON = 2;

describe('a list with large rows', () => {
  let service: TestService;
  let tenant: Tenant;
  let api: Api;
  let admin: AppClient;
  let run: string;

  beforeAll(async () => {
    service = await startTestService();
    ({ tenant, api } = await tenantWithDemand(service, demandCsv(SERIES, 24)));
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
    admin = new AppClient(service.url, (await createMember(service.database, tenant.organizationId, 'admin')).token);
    const [head] = await service.database.query<{ sequence: number }>(
      'SELECT sequence FROM audit_heads WHERE organization_id = $1',
      [tenant.organizationId],
    );
    for (let event = head?.sequence ?? 0; event < SERIES; event += 1) {
      await service.database.transaction((tx) =>
        recordAudit(tx, {
          organizationId: tenant.organizationId,
          actor: { kind: 'system', id: null, name: 'test', address: null },
          action: 'series.edited',
          target: { kind: 'series', id: '1' },
          details: { note: 'x'.repeat(MEGABYTE) },
          now: new Date(),
        }),
      );
    }
  });
  afterAll(() => service.close());

  it.each<[string, () => [Api | AppClient, string], number, string]>([
    ['series', () => [api, '/series?limit=1000'], SERIES, 'unique_id'],
    ['runs', () => [api, '/runs?limit=500'], SERIES, 'id'],
    ['forecast rows', () => [api, `/runs/${run}/forecasts?limit=10000`], SERIES * HORIZON, 'unique_id ds'],
    ['audit events', () => [admin, `/orgs/${tenant.organizationId}/audit-log?limit=1000`], SERIES, 'sequence'],
  ])('of %s has pages of a few megabytes, however many rows are requested', async (_, list, rows, key) => {
    const sizes: number[] = [];
    const keys: string[] = [];
    for await (const page of pagesOf<Record<string, string>[]>(...list())) {
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

  it('of metrics, which omit metadata, is not cut short by it', async () => {
    const { body, headers } = await api.get<unknown[]>(`/runs/${run}/series-metrics?limit=${SERIES}`);
    expect([body.length, headers.get('link')]).toEqual([SERIES, null]);
  });

  const sizeOf = (rows: readonly unknown[]): number => JSON.stringify(rows).length;

  it('is also read from the database in batches of a few megabytes', async () => {
    await asTenant(tenant, async () => {
      const database = service.app.get(Database);
      const forecasts = await readDescribedForecasts(database, { ...tenant, runId: run }, { limit: 1_000 });
      const events = await readChain(database, tenant.organizationId, 0, 1_000);
      for (const batch of [forecasts, events]) {
        expect(sizeOf(batch)).toBeGreaterThan(8 * MEGABYTE);
        expect(sizeOf(batch)).toBeLessThan(18 * MEGABYTE);
      }
      expect(forecasts).toHaveLength(SERIES); // with a place for each that has no room
    });
  });

  it('is processed to its end', async () => {
    await asTenant(tenant, async () => {
      await service.app.get(SafetyStocks).complete(tenant);
      const chain = await verifyAuditChain(service.app.get(Database), tenant.organizationId);
      expect(chain).toMatchObject({ intact: true, events: SERIES });
    });
    const stored = await service.database.query('SELECT 1 FROM safety_stocks WHERE run_id = $1', [run]);
    expect(stored).toHaveLength(SERIES);
  });

  it('of forecast rows for one month has every series, although their metadata has fewer characters than bytes', async () => {
    await service.database.execute(`UPDATE series SET metadata = jsonb_build_object('note', repeat('ü', $1))`, [
      MEGABYTE / 2,
    ]);
    const { body } = await api.get<{ ds: string }[]>(`/runs/${run}/forecasts?limit=1`);
    const month = body[0]!.ds;
    const keys: string[] = [];
    for await (const page of pagesOf<{ unique_id: string }[]>(
      api,
      `/runs/${run}/forecasts?limit=10000&from=${month}&to=${month}`,
    )) {
      keys.push(...page.map((row) => row.unique_id));
    }
    expect([keys.length, new Set(keys).size]).toEqual([SERIES, SERIES]);
  });
});
