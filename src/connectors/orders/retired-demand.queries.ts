import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { ConnectorTenant } from '../connector.js';

/**
 * Keeps the demand of a connector that is about to be removed, summed by series and day, except for months that members have deleted.
 */
export async function retireDemand(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<void> {
  await tx.execute(
    `INSERT INTO connector_retired_demand AS known
       (organization_id, workspace_id, platform, account, unique_id, day, quantity)
     SELECT $1, $2, connector.platform, connector.account, line.unique_id, line.day, sum(line.quantity::numeric)
     FROM connectors AS connector
     JOIN connector_order_lines AS line ON line.connector_id = connector.id
     JOIN series ON series.organization_id = $1 AND series.workspace_id = $2 AND series.unique_id = line.unique_id
     JOIN demand ON demand.organization_id = $1 AND demand.workspace_id = $2
       AND demand.series_id = series.id AND demand.year = extract(year FROM line.day)
       AND (demand.observed_months >> (extract(month FROM line.day)::int - 1)) & 1 = 1
     WHERE connector.organization_id = $1 AND connector.workspace_id = $2 AND connector.id = $3
     GROUP BY 3, 4, 5, 6
     ON CONFLICT (workspace_id, unique_id, day, platform, account)
       DO UPDATE SET quantity = known.quantity::numeric + excluded.quantity::numeric`,
    [organizationId, workspaceId, connectorId],
  );
}

/**
 * Deletes the kept demand of an account that is connected again, since its orders will be read again. Demand before `countsFrom`
 * stays, since the new connector does not count it.
 */
export async function forgetRetiredDemand(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  {
    platform,
    account,
    countsFrom,
  }: { readonly platform: string; readonly account: string; readonly countsFrom: string },
): Promise<void> {
  await tx.execute(
    `DELETE FROM connector_retired_demand
     WHERE organization_id = $1 AND workspace_id = $2 AND platform = $3 AND account = $4 AND day >= $5`,
    [organizationId, workspaceId, platform, account, countsFrom],
  );
}
