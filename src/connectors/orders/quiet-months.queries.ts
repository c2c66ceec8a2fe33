import type { Queryable } from '../../platform/database/database.js';
import { monthBit, monthOfDay, storeZeros } from '../../series/index.js';
import type { ConnectorTenant, StoredConnector } from '../connector.js';

/**
 * Months up to $4 without stored demand and without an order of any connector, for series of the connector $3, starting with the series'
 * first order and first stored month. If the connectors $5 have orders for the series too, only months up to theirs in $6. The recursion
 * finds the first order of each series by one index lookup. LATERAL, so that orders are looked up for the few months left at the end of
 * most syncs: the planner expects many, and would read the orders of all connectors.
 */
const WITHOUT_ORDERS = `
  WITH RECURSIVE first AS (
    (SELECT unique_id, day FROM connector_order_lines
     WHERE organization_id = $1 AND connector_id = $3 ORDER BY unique_id, day LIMIT 1)
    UNION ALL
    SELECT next.unique_id, next.day FROM first CROSS JOIN LATERAL (
      SELECT unique_id, day FROM connector_order_lines
      WHERE organization_id = $1 AND connector_id = $3 AND unique_id > first.unique_id ORDER BY unique_id, day LIMIT 1
    ) AS next
  ),
  begun AS (
    SELECT series.id, series.unique_id, ${monthOfDay('begins')} AS first_month,
      least($4::int, known.month) AS last_month
    FROM first
    JOIN series ON series.organization_id = $1 AND series.workspace_id = $2 AND series.unique_id = first.unique_id
    CROSS JOIN LATERAL (
      SELECT days[1] AS day FROM demand
      WHERE organization_id = $1 AND workspace_id = $2 AND series_id = series.id ORDER BY year LIMIT 1
    ) AS stored
    CROSS JOIN LATERAL greatest(first.day, stored.day) AS begins
    CROSS JOIN LATERAL (
      SELECT min(behind.month) AS month FROM unnest($5::uuid[], $6::int[]) AS behind (connector_id, month)
      WHERE EXISTS (
        SELECT FROM connector_order_lines AS line
        WHERE line.organization_id = $1 AND line.connector_id = behind.connector_id AND line.unique_id = series.unique_id
      )
    ) AS known
  )
  SELECT begun.id AS series_id, month
  FROM begun
  CROSS JOIN LATERAL generate_series(first_month / 12, last_month / 12) AS of_year
  LEFT JOIN LATERAL (
    SELECT observed_months FROM demand
    WHERE organization_id = $1 AND workspace_id = $2 AND series_id = begun.id AND year = of_year LIMIT 1
  ) AS stored ON true
  CROSS JOIN LATERAL generate_series(greatest(first_month, 12 * of_year), least(last_month, 12 * of_year + 11)) AS month
  CROSS JOIN LATERAL make_date(month / 12, month % 12 + 1, 1) AS first_day
  LEFT JOIN LATERAL (
    SELECT true AS has_orders FROM connector_order_lines
    WHERE organization_id = $1 AND workspace_id = $2 AND unique_id = begun.unique_id
      AND day >= first_day AND day < first_day + interval '1 month' LIMIT 1
  ) AS sold ON true
  WHERE ${monthBit('coalesce(observed_months, 0)', 'month')} = 0 AND has_orders IS NULL`;

/** A connector, and the last month that was completely read from it: 12 * year + month - 1. */
export interface ReadUpTo {
  readonly connectorId: string;
  readonly month: number;
}

/**
 * Stores zero for months up to `lastMonth` for which a series of the connector has neither stored demand nor an order of any connector. (A
 * month with orders but without stored demand was deleted by a member.)
 * @param lastMonth 12 * year + month - 1
 * @param behind other connectors that have not been read up to `lastMonth`: they may still bring orders for the same series
 */
export async function storeQuietMonths(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  lastMonth: number,
  behind: readonly ReadUpTo[],
): Promise<void> {
  await storeZeros(tx, { organizationId, workspaceId }, WITHOUT_ORDERS, [
    connectorId,
    lastMonth,
    behind.map((other) => other.connectorId),
    behind.map(({ month }) => month),
  ]);
}

/** The other enabled connectors of the workspace, and when each was last read to the end. */
export function listOthers(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<Pick<StoredConnector, 'connectorId' | 'timeZone' | 'lastSyncedAt'>[]> {
  return tx.query(
    `SELECT id AS "connectorId", time_zone AS "timeZone", last_synced_at AS "lastSyncedAt" FROM connectors
     WHERE organization_id = $1 AND workspace_id = $2 AND id <> $3 AND enabled`,
    [organizationId, workspaceId, connectorId],
  );
}
