import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/platform/ids.js';
import type { Tenant } from '../../src/platform/database/scope.js';
import { listRuns } from '../../src/runs/runs.queries.js';
import { readLatestRuns } from '../../src/runs/stock/safety-stocks.queries.js';
import { planningDatabase } from '../support/query-plans.js';

/** By which index the database reads runs, in an organization where nearly all are those of one workspace. */
describe('the index for a query on runs', () => {
  const [organizationId, busy, idle] = [newId(), newId(), newId()];
  const database = planningDatabase();
  beforeAll(async () => {
    await database.addOrganization(organizationId, [busy, idle]);
    await database.execute(
      `INSERT INTO runs (id, organization_id, workspace_id, status, trigger, config, billed, created_at, finished_at)
       SELECT gen_random_uuid(), $1, $2, 'completed', 'api', config::json, 'quota', now(), now() - make_interval(mins => at)
         FROM generate_series(1, 1000) AS at, unnest($3::text[]) AS config`,
      [organizationId, busy, ['{}', '{"series":{"category":"Care"}}']],
    );
    // where the two tell as much, chance decides between their indexes: let it be against the workspace
    await database.execute('ALTER TABLE runs ALTER organization_id SET (n_distinct = 10)');
    await database.execute('ANALYZE');
  });

  const since = { status: undefined, finishedAfter: new Date('2020-01-01T00:00:00Z'), limit: 50 };
  const finishedIn = (scope: Tenant) => database.plansOf((db) => listRuns(db, scope, since));

  it('reads only the latest run of a workspace, whether it has none or many', async () => {
    const steps = await database.plansOf((db) => readLatestRuns(db, { organizationId, workspaceId: null }));
    expect(steps).toMatch(/Index Scan Backward using runs_latest/);
  });

  it('returns the runs of an organization by end, newest first', async () => {
    expect(await finishedIn({ organizationId, workspaceId: null })).toMatch(/using runs_recent/);
  });

  it.each([
    ['many', busy],
    ['no', idle],
  ])("is the workspace's own for the newest of one with %s runs, in order", async (_, workspaceId) => {
    const steps = await finishedIn({ organizationId, workspaceId });
    expect(steps).toMatch(/using runs_workspace/);
    expect(steps).not.toContain('Sort');
  });
});
