import { beforeAll, describe, expect, it } from '@jest/globals';
import { entitySet } from '../../src/odata/model/model.js';
import { parseQuery } from '../../src/odata/query-options.js';
import { compilePage } from '../../src/odata/sql/compile-query.js';
import { SqlParameters } from '../../src/odata/sql/sql-parameters.js';
import { newId } from '../../src/platform/ids.js';
import { planningDatabase } from '../support/query-plans.js';

/** How the database reads the first page, where it sorts only what no index has in order. */
describe('index order', () => {
  const database = planningDatabase();
  beforeAll(async () => {
    await database.execute('SET enable_sort = off; SET enable_incremental_sort = off');
  });

  function plan(set: string, orderBy: string, filter?: string): Promise<string> {
    const parameters = new SqlParameters({ organizationId: newId(), workspaceId: null });
    const statement = { parameters, now: new Date() };
    const page = { skip: 0, limit: 100 };
    const { sql } = compilePage(
      entitySet(set),
      parseQuery({ ...(orderBy !== '' && { $orderby: orderBy }), ...(filter !== undefined && { $filter: filter }) }),
      statement,
      page,
    );
    return database.plansOf((db) => db.query(sql, parameters.values));
  }

  it('returns the newest runs, those without an end last', async () => {
    expect(await plan('Runs', 'finished_at desc')).not.toContain('Sort');
  });

  it('returns the metrics of series by their key', async () => {
    expect(await plan('SeriesMetrics', '')).toMatch(/using forecasts_feed/);
  });

  it('returns safety stock by its key', async () => {
    expect(await plan('SafetyStocks', '')).toMatch(/using safety_stocks_feed/);
  });

  it('returns the demand of a workspace by series, even before there are statistics', async () => {
    expect(await plan('Actuals', '', `workspace_id eq ${newId()}`)).toMatch(
      /(?:on|using) series_(?!pkey)[^]*demand_pkey/,
    );
  });

  it('supports no other order', async () => {
    expect(await plan('Runs', 'finished_at desc,status')).toContain('Sort');
  });
});
