import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { entitySet } from '../../src/odata/model/model.js';
import { parseQuery } from '../../src/odata/query-options.js';
import { compilePage } from '../../src/odata/sql/compile-query.js';
import { SqlParameters } from '../../src/odata/sql/sql-parameters.js';
import { newId } from '../../src/platform/ids.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';

/** How the database reads the first page, where it sorts only what no index has in order. */
describe('the order of an index', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('SET enable_sort = off; SET enable_incremental_sort = off');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function plan(set: string, orderBy: string): Promise<string> {
    const parameters = new SqlParameters({ organizationId: newId(), workspaceId: null });
    const statement = { parameters, now: new Date() };
    const page = { skip: 0, limit: 100 };
    const { sql } = compilePage(
      entitySet(set),
      parseQuery(orderBy === '' ? {} : { $orderby: orderBy }),
      statement,
      page,
    );
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters.values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('gives the newest runs, those without an end last', async () => {
    expect(await plan('Runs', 'finished_at desc')).not.toContain('Sort');
  });

  it('gives the metrics of series by their key', async () => {
    expect(await plan('SeriesMetrics', '')).toMatch(/using forecasts_feed/);
  });

  it('gives safety stock by its key', async () => {
    expect(await plan('SafetyStocks', '')).toMatch(/using safety_stocks_feed/);
  });

  it('gives no other order', async () => {
    expect(await plan('Runs', 'finished_at desc,status')).toContain('Sort');
  });
});
