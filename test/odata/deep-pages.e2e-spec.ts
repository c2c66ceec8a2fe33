import { beforeAll, describe, expect, it } from '@jest/globals';
import { entitySet } from '../../src/odata/model/model.js';
import { parseQuery } from '../../src/odata/query-options.js';
import { compileCount, compilePage } from '../../src/odata/sql/compile-query.js';
import { SqlParameters } from '../../src/odata/sql/sql-parameters.js';
import { newId } from '../../src/platform/ids.js';
import { planningDatabase } from '../support/query-plans.js';

/** How the database reads and counts the forecasts of a large run, which is the newest of many small ones. */
describe('the forecasts of a large run', () => {
  const [organizationId, workspaceId, other, run] = [newId(), newId(), newId(), newId()];
  const database = planningDatabase();
  beforeAll(async () => {
    await database.addOrganization(organizationId, [workspaceId, other]);
    await database.execute(
      `INSERT INTO series (id, organization_id, workspace_id, unique_id, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, at::text, now(), now() FROM generate_series(1, 3000) AS at`,
      [organizationId, workspaceId],
    );
    await database.execute(
      `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, finished_at)
       SELECT CASE at WHEN 300 THEN $3::uuid ELSE ('00000000-0000-4000-8000-' || lpad(at::text, 12, '0'))::uuid END,
              $1, CASE WHEN at % 2 = 0 THEN $2::uuid ELSE $4::uuid END, 'completed', 'api', '{}', 'quota', now(), '2026-01-01'::date + at
         FROM generate_series(1, 300) AS at`,
      [organizationId, workspaceId, run, other],
    );
    await database.execute(
      `INSERT INTO forecasts (run_id, series_id, organization_id, workspace_id, unique_id, model, pattern, first_month, horizon,
         mean, quantiles, backtest, history_start, history)
       SELECT runs.id, s.id, $1, runs.workspace_id, s.unique_id, 'theta', 'smooth', 24300, 12, '', '', '', 24200, ''
         FROM runs JOIN series s ON runs.id = $2 OR s.unique_id::int <= 30`,
      [organizationId, run],
    );
    await database.execute('VACUUM ANALYZE'); // a scan of an index alone depends on it
  });

  const plan = (filter: string, after?: readonly string[]): Promise<string> => {
    const parameters = new SqlParameters({ organizationId, workspaceId: null });
    const page = { skip: 0, limit: 5_000, ...(after && { after }) };
    const query = parseQuery({ $filter: filter });
    const { sql } = compilePage(entitySet('Forecasts'), query, { parameters, now: new Date() }, page);
    return database.plansOf((db) => db.query(sql, parameters.values));
  };
  const MIDDLE = [run, '80000000-0000-4000-8000-000000000000', '2026-03-01'];

  it.each([
    ['the run', `run_id eq ${run}`],
    ['the latest runs', 'run/is_latest'],
    ['a workspace', `workspace_id eq ${workspaceId}`],
    ['the latest run of a workspace', `workspace_id eq ${workspaceId} and run/is_latest`],
  ])('are read in index order when $filter names %s', async (_, filter) => {
    for (const steps of [await plan(filter), await plan(filter, MIDDLE)]) {
      expect(steps).toMatch(/Presorted Key: .*f.series_id$[^]*using forecasts_feed/m);
      expect(steps).toMatch(/Cache Key: f.run_id/); // each run is looked up once, not for each series
    }
  });

  describe('are counted', () => {
    // what the tables' sizes decide otherwise
    beforeAll(() => database.execute('SET enable_seqscan = off; SET enable_bitmapscan = off'));

    const plan = (filter?: string): Promise<string> => {
      const parameters = new SqlParameters({ organizationId, workspaceId: null });
      const query = parseQuery(filter === undefined ? {} : { $filter: filter });
      const sql = compileCount(entitySet('Forecasts'), query, { parameters, now: new Date() });
      return database.plansOf((db) => db.query(sql, parameters.values));
    };

    it.each([
      ['nothing', undefined],
      ['the run', `run_id eq ${run}`],
      ['the latest runs', 'run/is_latest'],
    ])('from an index alone when $filter names %s', async (_, filter) => {
      const steps = await plan(filter);
      expect(steps).toMatch(/Index Only Scan using forecasts_.* on forecasts f/);
      expect(steps).not.toMatch(/generate_series| on series/);
    });

    it('month by month when $filter names something of a month', async () => {
      expect(await plan('run/is_latest and q50 gt 0')).toMatch(/generate_series/);
    });
  });
});
