import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countCompared, listCompared, readForecastDetailsAfter, readForecasts } from '../../src/forecasts/index.js';
import { Database, type Queryable, type Transaction } from '../../src/platform/database/database.js';
import { asTenant } from '../../src/platform/database/scope.js';
import { newId } from '../../src/platform/ids.js';
import { EXPIRING } from '../../src/retention/kinds.js';
import { deleteDue } from '../../src/retention/retention.queries.js';
import { readMonthSoFar } from '../../src/runs/sensing/month-so-far.queries.js';
import { sampleSeries } from '../../src/series/index.js';
import { Api } from '../support/api.js';
import { createApiKey, createOrganization, createWorkspace } from '../support/builders.js';
import { createPastRun } from '../support/history.js';
import { startTestService, type TestService } from '../support/test-service.js';

const LARGE = 2_000;
const OTHERS = 50;
const YEARS = 6;

/** A node of a plan that was carried out: rows are those of a loop. */
interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** The most rows that a node of the plan went through. */
const mostRows = (node: PlanNode): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  );

describe('the rows that the database reads for a large workspace', () => {
  let service: TestService;
  let tenant: { organizationId: string; workspaceId: string };
  const [runId, nextRunId] = [newId(), newId()];

  /** A workspace with series, and demand of each on the first of this month in each of the years up to this one. */
  async function createSeries(series: number): Promise<typeof tenant> {
    const organizationId = (await createOrganization(service.database)).id;
    const workspaceId = (await createWorkspace(service.database, organizationId)).id;
    const ids = Array.from({ length: series }, newId);
    await service.database.execute(
      `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
       SELECT id, $1, $2, 'S' || lpad(position::text, 5, '0'), now(), now()
         FROM unnest($3::uuid[]) WITH ORDINALITY AS given (id, position)`,
      [organizationId, workspaceId, ids],
    );
    await service.database.execute(
      `INSERT INTO demand (series_id, organization_id, workspace_id, year, observed_months, days, quantities)
       SELECT id, $1, $2, extract(year FROM first)::int, 1 << (extract(month FROM first)::int - 1), ARRAY[first::date],
              ARRAY[1::float8]
         FROM unnest($3::uuid[]) AS id, generate_series(0, $4) AS age,
              date_trunc('month', now() AT TIME ZONE 'UTC' - age * interval '1 year') AS first`,
      [organizationId, workspaceId, ids, YEARS - 1],
    );
    return { organizationId, workspaceId };
  }

  /** Forecasts of a run for all series of the workspace. */
  const createForecasts = (workspaceId: string, run: string): Promise<number> =>
    service.database.execute(
      `INSERT INTO forecasts (run_id, series_id, organization_id, workspace_id, unique_id, model, pattern, first_month,
         horizon, mean, quantiles, backtest, history_start, history)
       SELECT $2, id, organization_id, workspace_id, unique_id, 'naive', 'smooth', 24300, 12, $3, $4, $4, 24290, $3
         FROM series WHERE workspace_id = $1`,
      [workspaceId, run, Buffer.alloc(96), Buffer.alloc(864)],
    );

  /** A connector with syncs that ended a year ago. */
  const createSyncs = (organizationId: string, workspaceId: string, syncs: number): Promise<number> =>
    service.database.execute(
      `WITH connector AS (
         INSERT INTO connectors (id, organization_id, workspace_id, platform, account, name, settings, sealed, time_zone,
           counts_from, interval_minutes, created_at, updated_at)
         VALUES ($3, $1, $2, 'shopify', 'a', 'Shop', '{}', '', 'UTC', now(), 60, now(), now()) RETURNING id)
       INSERT INTO connector_syncs (id, organization_id, workspace_id, connector_id, status, trigger, wake_at, created_at, finished_at)
       SELECT gen_random_uuid(), $1, $2, connector.id, 'completed', 'schedule', now(), now(), now() - interval '1 year'
         FROM connector, generate_series(1, $4)`,
      [organizationId, workspaceId, newId(), syncs],
    );

  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    tenant = await createSeries(LARGE);
    await createForecasts(tenant.workspaceId, runId);
    await createForecasts(tenant.workspaceId, nextRunId);
    for (let other = 0; other < OTHERS; other += 1) {
      const { organizationId, workspaceId } = await createSeries(10);
      await createForecasts(workspaceId, newId());
      await createSyncs(organizationId, workspaceId, 50);
    }
    await service.database.execute('ANALYZE');
  });
  afterAll(() => service.close());

  /** Rows of the table that the database reads for the work, as the role of the service. */
  const rowsRead = (table: string, work: (tx: Transaction) => Promise<unknown>): Promise<number> =>
    asTenant(tenant, () =>
      service.app.get(Database).transaction(async (tx) => {
        const read = async (): Promise<number> => {
          const [row] = await tx.query<{ rows: number }>(
            `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = $1`,
            [table],
          );
          return row!.rows;
        };
        const before = await read();
        await work(tx);
        return (await read()) - before;
      }),
    );

  it('are the requested page of forecasts, and no more of its run', async () => {
    const page = { fromUniqueId: 'S01000', limit: 50 };
    const read = await rowsRead('forecasts', async (tx) => {
      // as the prepared statement is planned from its sixth time on
      await tx.execute(`SET LOCAL plan_cache_mode = 'force_generic_plan'`);
      expect(await readForecasts(tx, { ...tenant, runId }, page)).toHaveLength(50);
    });
    expect(read).toBeLessThan(2 * page.limit);
  });

  it('are the requested page of series that two runs share', async () => {
    const runs = { organizationId: tenant.organizationId, current: nextRunId, prior: runId };
    const limit = 50;
    const read = await rowsRead('forecasts', async (tx) => {
      const page = await listCompared(tx, runs, 'common', { after: 'S01000', limit });
      expect([page.length, page[0]?.uniqueId]).toEqual([limit, 'S01001']);
    });
    expect(read).toBeLessThan(4 * limit);
    const counts = await asTenant(tenant, () => countCompared(service.app.get(Database), runs));
    expect(counts).toEqual({ common: LARGE, added: 0, removed: 0 });
  });

  it('are the page of forecasts compared with actual demand', async () => {
    const page = { after: 'S01000', limit: 50, begunBy: 24_300, tested: false };
    const read = await rowsRead('forecasts', async (tx) => {
      const forecasts = await readForecastDetailsAfter(tx, { ...tenant, runId }, page);
      expect([forecasts.length, forecasts[0]?.uniqueId]).toEqual([50, 'S01001']);
    });
    expect(read).toBeLessThan(2 * page.limit);
  });

  it('are the demand of each series, once, for the accuracy of a run', async () => {
    const pastRun = await createPastRun(service.database, tenant, { finishedAt: new Date() });
    await createForecasts(tenant.workspaceId, pastRun);
    const api = new Api(service.url, await createApiKey(service, tenant.organizationId));
    // of the months forecast, the year 2025, one has demand: the forecasts are nothing
    expect((await api.get(`/runs/${pastRun}/accuracy`)).body).toMatchObject({ series: LARGE, months: LARGE, wape: 1 });
  });

  it('are returned as a sample when one is enough', async () => {
    const sample = (most: number) => asTenant(tenant, () => sampleSeries(service.app.get(Database), tenant, most));
    const all = await sample(LARGE + 1);
    expect(new Set(all).size).toBe(LARGE);
    expect(await sample(200)).toEqual(all.filter((_, place) => place % 10 === 0));
  });

  it('are the demand of this year for the month in progress', async () => {
    const read = await rowsRead('demand', async (tx) => {
      expect(await readMonthSoFar(tx, tenant)).toMatchObject({ lastDay: 1 });
    });
    expect(read).toBeLessThanOrEqual(LARGE);
  });

  it('are one day per series there, not every day of the year', async () => {
    await service.database.execute(
      `UPDATE demand SET (days, quantities) = (
         SELECT array_agg(first + nth ORDER BY nth), array_agg(1::float8)
           FROM make_date(year, 1, 1) AS first, generate_series(0, 364) AS nth)
        WHERE workspace_id = $1 AND year = extract(year FROM now() AT TIME ZONE 'UTC')`,
      [tenant.workspaceId],
    );
    const explained = await asTenant(tenant, () =>
      service.app.get(Database).transaction(async (tx) => {
        const explaining: Queryable = {
          query: (sql, parameters) =>
            tx.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${typeof sql === 'string' ? sql : sql.text}`, parameters),
          execute: (sql, parameters) => tx.execute(sql, parameters),
        };
        const plans: unknown = await readMonthSoFar(explaining, tenant);
        return plans as { readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] };
      }),
    );
    expect(mostRows(explained['QUERY PLAN'][0]!.Plan)).toBeLessThanOrEqual(2 * LARGE); // the index still has those from before the update
  });

  it('are none of other tenants when retention looks for syncs', async () => {
    const syncs = EXPIRING.find(({ table }) => table === 'connector_syncs')!;
    const read = await rowsRead('connector_syncs', async (tx) => {
      expect(await deleteDue(tx, tenant.organizationId, syncs, new Date())).toEqual([]);
    });
    expect(read).toBeLessThan(OTHERS); // the planner looks at the ends of the index
  });

  it('are none of other tenants when a workspace is deleted: each reference to workspaces has an index', async () => {
    const unindexed = await service.database.query<{ reference: string }>(
      `SELECT conrelid::regclass || '.' || attname AS reference
         FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
        WHERE contype = 'f' AND confrelid = 'workspaces'::regclass
          AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1] AND indpred IS NULL)`,
    );
    expect(unindexed).toEqual([]);
  });
});
