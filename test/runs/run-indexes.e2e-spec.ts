import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Queryable } from '../../src/platform/database/database.js';
import { newId } from '../../src/platform/ids.js';
import type { Tenant } from '../../src/platform/database/scope.js';
import { listRuns } from '../../src/runs/runs.queries.js';
import { readLatestRuns } from '../../src/runs/stock/safety-stocks.queries.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { plansOf } from '../support/plans.js';

/** By which index the database reads runs, in an organization where nearly all are those of one workspace. */
describe('the index of a question about runs', () => {
  const [organizationId, busy, idle] = [newId(), newId(), newId()];
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'Acme', 'growth', now())`, [
      organizationId,
    ]);
    await client.query(
      `INSERT INTO workspaces (id, organization_id, name, created_at)
       SELECT id, $1, 'Shop', now() FROM unnest($2::uuid[]) AS id`,
      [organizationId, [busy, idle]],
    );
    await client.query(
      `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, finished_at)
       SELECT gen_random_uuid(), $1, $2, 'completed', 'api', config::json, 'quota', now(), now() - make_interval(mins => at)
         FROM generate_series(1, 1000) AS at, unnest($3::text[]) AS config`,
      [organizationId, busy, ['{}', '{"series":{"category":"Care"}}']],
    );
    // where the two tell as much, chance decides between their indexes: let it be against the workspace
    await client.query('ALTER TABLE runs ALTER organization_id SET (n_distinct = 10)');
    await client.query('ANALYZE');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const plan = (ask: (db: Queryable) => Promise<unknown>): Promise<string> => plansOf(client, ask);
  const since = { status: undefined, finishedAfter: new Date('2020-01-01T00:00:00Z'), limit: 50 };
  const finishedIn = (scope: Tenant) => plan((db) => listRuns(db, scope, since));

  it('has the latest run of a workspace at its end, so that neither one without any nor one of many reads others', async () => {
    const steps = await plan((db) => readLatestRuns(db, { organizationId, workspaceId: null }));
    expect(steps).toMatch(/Index Scan Backward using runs_latest/);
  });

  it('has the runs of an organization by their end, newest first', async () => {
    expect(await finishedIn({ organizationId, workspaceId: null })).toMatch(/using runs_recent/);
  });

  it.each([
    ['many', busy],
    ['no', idle],
  ])("is the workspace's own for the newest of one with %s runs, in their order", async (_, workspaceId) => {
    const steps = await finishedIn({ organizationId, workspaceId });
    expect(steps).toMatch(/using runs_workspace/);
    expect(steps).not.toContain('Sort');
  });
});
