import { one, type Queryable } from '../../platform/database/database.js';
import type { StoredConnector } from '../connector.js';
import type { SeriesMonth } from './orders.queries.js';

interface UnseenOrders {
  /** The number of orders that had lines. */
  readonly orders: number;
  /** The months in which these counted. */
  readonly months: readonly SeriesMonth[];
}

/**
 * Deletes the lines of orders that were not seen in the current reading: of days from `shownFrom` on, but not before the first order that
 * was seen. Orders that are set aside appeared, but could not be read.
 * @param shownFrom `YYYY-MM-DD`
 */
export function deleteUnseenLines(
  tx: Queryable,
  { organizationId, workspaceId, connectorId, reading }: StoredConnector,
  shownFrom: string,
): Promise<UnseenOrders> {
  return one<UnseenOrders>(
    tx,
    `WITH gone AS (
         DELETE FROM connector_order_lines AS line USING connector_orders AS placed
         WHERE line.organization_id = $1 AND line.workspace_id = $2 AND line.connector_id = $3
           AND placed.organization_id = $1 AND placed.workspace_id = $2 AND placed.connector_id = $3
           AND placed.external_id = line.external_id AND placed.reading < $4
           AND line.day >= greatest($5::date, (
             SELECT coalesce(min(day), 'infinity') FROM connector_orders
             WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND reading = $4
           ))
           AND NOT EXISTS (
             SELECT FROM connector_orders_set_aside AS aside
             WHERE aside.organization_id = $1 AND aside.workspace_id = $2 AND aside.connector_id = $3
               AND aside.external_id = placed.external_id
           )
         RETURNING line.external_id, line.unique_id, date_trunc('month', line.day)::date AS month
       )
       SELECT count(DISTINCT external_id)::int AS orders, (
         SELECT coalesce(json_agg(json_build_object('uniqueId', unique_id, 'month', month)), '[]')
         FROM (SELECT DISTINCT unique_id, month FROM gone) AS touched
       ) AS months
       FROM gone`,
    [organizationId, workspaceId, connectorId, reading, shownFrom],
  );
}
