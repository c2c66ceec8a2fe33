import type { Queryable } from '../../platform/database/database.js';
import type { ConnectorTenant } from '../connector.js';

/**
 * Months up to `lastMonth` in which nothing is stored of a series of the connector and no connector has an order of it; from
 * its first order and its first stored month on. A month that has orders and is not stored was deleted: it is not quiet.
 * @param lastMonth 12 * year + month - 1, as the months that are returned
 * @returns months by series id
 */
export async function readQuietMonths(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  lastMonth: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await tx.query<{ series_id: string; months: number[] }>(
    // the first order of each series by one look into the index for each
    `WITH RECURSIVE first AS (
       (SELECT unique_id, day FROM connector_order_lines WHERE connector_id = $3 ORDER BY unique_id, day LIMIT 1)
       UNION ALL
       SELECT next.unique_id, next.day FROM first CROSS JOIN LATERAL (
         SELECT unique_id, day FROM connector_order_lines
         WHERE connector_id = $3 AND unique_id > first.unique_id ORDER BY unique_id, day LIMIT 1
       ) AS next
     ),
     begun AS (
       SELECT series.id, series.unique_id, greatest(first.day, stored.day) AS day
       FROM first
       JOIN series ON series.organization_id = $1 AND series.workspace_id = $2 AND series.unique_id = first.unique_id
       CROSS JOIN LATERAL (SELECT days[1] AS day FROM demand WHERE series_id = series.id ORDER BY year LIMIT 1) AS stored
     )
     SELECT begun.id AS series_id, array_agg(month ORDER BY month) AS months
     FROM begun
     CROSS JOIN LATERAL generate_series((12 * extract(year FROM day) + extract(month FROM day))::int - 1, $4) AS month
     CROSS JOIN LATERAL make_date(month / 12, month % 12 + 1, 1) AS first_day
     LEFT JOIN demand ON demand.series_id = begun.id AND demand.year = month / 12
     WHERE (demand.series_id IS NULL OR (demand.observed_months >> (month % 12)) & 1 = 0)
       AND NOT EXISTS (
         SELECT FROM connector_order_lines AS line
         WHERE line.organization_id = $1 AND line.workspace_id = $2 AND line.unique_id = begun.unique_id
           AND line.day >= first_day AND line.day < first_day + interval '1 month'
       )
     GROUP BY 1`,
    [organizationId, workspaceId, connectorId, lastMonth],
  );
  return new Map(rows.map((row) => [row.series_id, row.months]));
}
