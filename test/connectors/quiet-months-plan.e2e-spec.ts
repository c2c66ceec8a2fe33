import { beforeAll, describe, expect, it } from '@jest/globals';
import { storeQuietMonths } from '../../src/connectors/orders/quiet-months.queries.js';
import { newId } from '../../src/platform/ids.js';
import { planningDatabase } from '../support/query-plans.js';

/** How the database looks for the months without orders of one connector among many. */
describe('the months without orders, at the end of a sync', () => {
  const tenants = Array.from({ length: 500 }, () => ({
    organizationId: newId(),
    workspaceId: newId(),
    connectorId: newId(),
  }));
  const database = planningDatabase();
  beforeAll(async () => {
    const ids = (['organizationId', 'workspaceId', 'connectorId'] as const).map((id) =>
      tenants.map((tenant) => tenant[id]),
    );
    await database.execute('SET session_replication_role = replica'); // lines alone, without what they refer to
    await database.execute(
      `INSERT INTO connector_order_lines
         (organization_id, workspace_id, connector_id, external_id, position, unique_id, day, quantity)
       SELECT tenant.*, at::text, 1, (at % 20)::text, '2026-01-01'::date + at, 1
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS tenant, generate_series(1, 200) AS at`,
      ids,
    );
    await database.execute('ANALYZE');
  });

  it('are found by an index look-up for each series and for each month, not by reading all lines of the connector', async () => {
    const plan = await database.plansOf((tx) =>
      storeQuietMonths(tx, tenants[0]!, 12 * 2026 + 10, []).catch(() => 'as of a plan there is no count'),
    );
    // not the look-up of other connectors, of which there are none
    const scans = plan.match(/\S+ Scan (using \w+ )?on connector_order_lines\b(?! line )/g);
    expect(scans).toEqual([
      'Index Scan using connector_order_lines_first on connector_order_lines',
      'Index Scan using connector_order_lines_first on connector_order_lines',
      'Index Scan using connector_order_lines_demand on connector_order_lines',
    ]);
  });
});
