import { only, type Queryable } from '../../platform/database/database.js';
import type { ConnectorTenant } from '../connector.js';
import type { SeriesMonth } from './orders.queries.js';

/**
 * Keeps the demand of a connector that is about to be removed, summed by series and day, except for months that members have deleted.
 * Where that of a former connector to the account still counts in its place, that stays as it is.
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
       AND NOT connector.counts_retired
     GROUP BY 3, 4, 5, 6
     ON CONFLICT (workspace_id, unique_id, day, platform, account)
       DO UPDATE SET quantity = known.quantity::numeric + excluded.quantity::numeric`,
    [organizationId, workspaceId, connectorId],
  );
}

/** That something is kept of the account of `connector`, of days that it counts. */
const SOME_RETIRED = `EXISTS (
  SELECT FROM connector_retired_demand AS retired
  WHERE retired.organization_id = $1 AND retired.workspace_id = $2
    AND retired.platform = connector.platform AND retired.account = connector.account
    AND retired.day >= connector.counts_from
)`;

/** Whether what removed connectors had counted of the account still counts, of days that the connector counts. */
export async function hasRetired(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<boolean> {
  const found = await tx.query(
    `SELECT FROM connectors AS connector
     WHERE connector.organization_id = $1 AND connector.workspace_id = $2 AND connector.id = $3 AND ${SOME_RETIRED}`,
    [organizationId, workspaceId, connectorId],
  );
  return found.length > 0;
}

/**
 * Has what was kept of the account of a new connector count on in the place of its orders, where anything was kept of the days that it
 * counts. A statement of its own: the one that stores the connector may have waited for the removal of the former one, and not see it.
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

/** The kept demand that the orders of a connector replace. */
export interface ReplacedDemand {
  readonly platform: string;
  readonly account: string;
  /** `YYYY-MM-DD`: what was kept of earlier days stays. */
  readonly from: string;
}

/**
 * Has the orders of a connector count from here on. They replace what was kept of the days that it counts, beginning with its first
 * order: the platform may not show older ones any more. The day before is replaced too, since it may be that of the first order in
 * another time zone.
 */
export async function endRetired(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<ReplacedDemand> {
  return only(
    await tx.query<ReplacedDemand>(
      `UPDATE connectors SET counts_retired = false
       WHERE organization_id = $1 AND workspace_id = $2 AND id = $3
       RETURNING platform, account, greatest(counts_from, (
         SELECT coalesce(min(day) - 1, 'infinity') FROM connector_orders
         WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3
       )) AS "from"`,
      [organizationId, workspaceId, connectorId],
    ),
  );
}

/** The series that the connector has orders of, or that kept demand is replaced of. */
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

/** Deletes what was kept of the series. @returns the months of that, and those that the connector has orders of them in */
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
