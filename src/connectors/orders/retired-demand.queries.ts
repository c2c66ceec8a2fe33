import { exists, one, type Queryable } from '../../platform/database/database.js';
import { monthBitOfDay } from '../../series/index.js';
import type { ConnectorTenant } from '../connector.js';
import type { SeriesMonth } from './orders.queries.js';

/**
 * Retains the demand of a connector that is about to be removed, summed by series and day, except for months that members have deleted. If
 * the retained demand of a former connector to the account still counts in its place, that stays unchanged.
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
       AND ${monthBitOfDay('demand.observed_months', 'line.day')} = 1
     WHERE connector.organization_id = $1 AND connector.workspace_id = $2 AND connector.id = $3
       AND NOT connector.counts_retired
     GROUP BY 3, 4, 5, 6
     ON CONFLICT (workspace_id, unique_id, day, platform, account)
       DO UPDATE SET quantity = known.quantity::numeric + excluded.quantity::numeric`,
    [organizationId, workspaceId, connectorId],
  );
}

/** Whether any demand of the account of `connector` is retained for days that it counts. */
const SOME_RETIRED = `EXISTS (
  SELECT FROM connector_retired_demand AS retired
  WHERE retired.organization_id = $1 AND retired.workspace_id = $2
    AND retired.platform = connector.platform AND retired.account = connector.account
    AND retired.day >= connector.counts_from
)`;

/** Whether demand retained from removed connectors to the account still counts, for days that the connector counts. */
export function hasRetired(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<boolean> {
  return exists(
    tx,
    `SELECT FROM connectors AS connector
     WHERE connector.organization_id = $1 AND connector.workspace_id = $2 AND connector.id = $3 AND ${SOME_RETIRED}`,
    [organizationId, workspaceId, connectorId],
  );
}

/**
 * Lets the demand retained for the account of a new connector keep counting in place of its orders, if any is retained for the days that it
 * counts. A separate statement: the one that stores the connector may have waited for the removal of the former one, and would not see its
 * demand.
 */
export async function keepRetired(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<void> {
  await tx.execute(
    `UPDATE connectors AS connector SET counts_retired = true
     WHERE connector.organization_id = $1 AND connector.workspace_id = $2 AND connector.id = $3
       AND ${SOME_RETIRED}`,
    [organizationId, workspaceId, connectorId],
  );
}

/** The retained demand that a connector's orders replace. */
export interface ReplacedDemand {
  readonly platform: string;
  readonly account: string;
  /** `YYYY-MM-DD`: demand retained for earlier days stays. */
  readonly from: string;
}

/**
 * Lets the orders of a connector count from now on. They replace the demand retained for the days that it counts, starting with its first
 * order: the platform may no longer show older ones. The day before is replaced too, since the first order may fall on it in another time
 * zone.
 */
export function endRetired(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<ReplacedDemand> {
  return one<ReplacedDemand>(
    tx,
    `UPDATE connectors SET counts_retired = false
       WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
       RETURNING platform, account, greatest(counts_from, (
         SELECT coalesce(min(day) - 1, 'infinity') FROM connector_orders
         WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3
       )) AS "from"`,
    [organizationId, workspaceId, connectorId],
  );
}

/** The series that the connector has orders for, or whose retained demand is replaced. */
export async function listSeriesToCount(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  { platform, account, from }: ReplacedDemand,
): Promise<string[]> {
  const rows = await tx.query<{ uniqueId: string }>(
    `SELECT unique_id AS "uniqueId" FROM connector_order_lines WHERE organization_id = $1 AND connector_id = $3
     UNION
     SELECT unique_id FROM connector_retired_demand
     WHERE organization_id = $1 AND workspace_id = $2 AND platform = $4 AND account = $5 AND day >= $6`,
    [organizationId, workspaceId, connectorId, platform, account, from],
  );
  return rows.map(({ uniqueId }) => uniqueId);
}

/** Deletes the retained demand of the series. @returns its months, and those in which the connector has orders for the series */
export function takeMonthsToCount(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  { platform, account, from }: ReplacedDemand,
  uniqueIds: readonly string[],
): Promise<SeriesMonth[]> {
  return tx.query<SeriesMonth>(
    `WITH replaced AS (
       DELETE FROM connector_retired_demand
       WHERE organization_id = $1 AND workspace_id = $2 AND platform = $4 AND account = $5 AND day >= $6
         AND unique_id = ANY ($7::text[])
       RETURNING unique_id, day
     )
     SELECT unique_id AS "uniqueId", date_trunc('month', day)::date AS month FROM replaced
     UNION
     SELECT unique_id, date_trunc('month', day)::date FROM connector_order_lines
     WHERE organization_id = $1 AND connector_id = $3 AND unique_id = ANY ($7::text[])`,
    [organizationId, workspaceId, connectorId, platform, account, from, uniqueIds],
  );
}
