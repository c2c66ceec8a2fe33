import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ForecastRecord, storeForecasts } from '../../src/forecasts/index.js';
import { newId } from '../../src/platform/ids.js';
import { readPackedYears } from '../../src/series/read/packed-years.queries.js';
import { planningDatabase } from '../support/query-plans.js';

const CHUNK = 100;

/** How the database finds the series of a chunk where it has no statistics yet of a large upload. */
describe('a run of a workspace that was just filled', () => {
  const scope = { organizationId: newId(), workspaceId: newId(), runId: newId() };
  const seriesIds = Array.from({ length: CHUNK }, newId);
  const database = planningDatabase();
  const upload = (workspaceId: string) =>
    database.execute(
      `WITH stored AS (
         INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
         SELECT gen_random_uuid(), $1, $2, at::text, now(), now() FROM generate_series(1, 2000) AS at RETURNING id)
       INSERT INTO demand (series_id, organization_id, workspace_id, year, observed_months, days, quantities)
       SELECT id, $1, $2, 2026, 1, '{2026-01-01}', '{1}' FROM stored`,
      [scope.organizationId, workspaceId],
    );
  beforeAll(async () => {
    const former = newId();
    await database.addOrganization(scope.organizationId, [former, scope.workspaceId]);
    await database.execute('ALTER TABLE series SET (autovacuum_enabled = off)');
    await database.execute('ALTER TABLE demand SET (autovacuum_enabled = off)');
    await upload(former);
    await database.execute('ANALYZE');
    await database.execute('SET enable_seqscan = off'); // as tables much larger than these are read
    await upload(scope.workspaceId);
  });

  it('reads the demand of one chunk, not of all series', async () => {
    const months = { from: 12 * 2021, to: 12 * 2026 };
    expect(await database.plansOf((db) => readPackedYears(db, scope, months, seriesIds))).toMatch(/on demand_pkey/);
  });

  it('looks up the series of one chunk, not all', async () => {
    const record = (id: string): ForecastRecord => ({
      forecast: {
        kind: 'forecast',
        id,
        firstMonth: 24_300,
        model: 'theta',
        pattern: 'smooth',
        mean: new Float64Array(12),
        quantiles: new Float64Array(108),
        backtest: [],
      },
      uniqueId: id,
      history: { id, startMonth: 24_200, values: new Float64Array(60) },
      orderSizes: null,
    });
    const plans = await database.plansOf((tx) => storeForecasts(tx, scope, seriesIds.map(record)));
    expect(plans).toMatch(/using series_pkey/);
  });
});
