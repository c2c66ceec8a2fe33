import { exists, type Queryable } from '../../platform/database/database.js';
import type { NewSeries } from '../../series/index.js';
import type { ConnectorTenant } from '../connector.js';
import type { SeriesMonth } from './orders.queries.js';

/** An order of the connector $3 with a product. */
const orderOf = (product: string): string =>
  `SELECT FROM connector_order_lines AS line
   WHERE line.organization_id = $1 AND line.workspace_id = $2 AND line.connector_id = $3 AND line.unique_id = ${product}.unique_id`;

/** Notes that products are left out, except those of which the connector has no order. @returns how many that is */
export function insertLeftOut(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  products: readonly NewSeries[],
): Promise<number> {
  return tx.execute(
    `INSERT INTO connector_products_left_out (organization_id, workspace_id, connector_id, unique_id, product_name)
     SELECT $1, $2, $3, given.* FROM unnest($4::text[], $5::text[]) AS given (unique_id, product_name)
     WHERE EXISTS (${orderOf('given')})`,
    [
      organizationId,
      workspaceId,
      connectorId,
      products.map(({ uniqueId }) => uniqueId),
      products.map(({ productName }) => productName),
    ],
  );
}

/** Products of which no order is left are no longer left out. */
export async function deleteUnsold(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  uniqueIds: readonly string[],
): Promise<void> {
  await tx.execute(
    `DELETE FROM connector_products_left_out AS product
     WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND unique_id = ANY ($4::text[])
       AND NOT EXISTS (${orderOf('product')})`,
    [organizationId, workspaceId, connectorId, uniqueIds],
  );
}

/** Those of the products that are left out. */
export async function findLeftOut(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  uniqueIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ uniqueId: string }>(
    `SELECT unique_id AS "uniqueId" FROM connector_products_left_out
     WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND unique_id = ANY ($4::text[])`,
    [organizationId, workspaceId, connectorId, uniqueIds],
  );
  return new Set(rows.map(({ uniqueId }) => uniqueId));
}

/** Whether any products are left out. */
export function hasLeftOut(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
): Promise<boolean> {
  return exists(
    db,
    `SELECT FROM connector_products_left_out WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3`,
    [organizationId, workspaceId, connectorId],
  );
}

/** Some products that were left out, starting with those that have a series by now. */
export function listLeftOut(
  db: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  limit: number,
): Promise<NewSeries[]> {
  return db.query<NewSeries>(
    `SELECT product.unique_id AS "uniqueId", product.product_name AS "productName"
     FROM connector_products_left_out AS product
     LEFT JOIN series ON series.organization_id = $1 AND series.workspace_id = $2 AND series.unique_id = product.unique_id
     WHERE product.organization_id = $1 AND product.workspace_id = $2 AND product.connector_id = $3
     ORDER BY series.id IS NULL, product.unique_id LIMIT $4`,
    [organizationId, workspaceId, connectorId, limit],
  );
}

/** The products are no longer left out. @returns the months in which the connector has orders for them */
export function takeLeftOut(
  tx: Queryable,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  uniqueIds: readonly string[],
): Promise<SeriesMonth[]> {
  return tx.query<SeriesMonth>(
    `WITH taken AS (
       DELETE FROM connector_products_left_out
       WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND unique_id = ANY ($4::text[])
     )
     SELECT DISTINCT unique_id AS "uniqueId", date_trunc('month', day)::date AS month FROM connector_order_lines
     WHERE organization_id = $1 AND workspace_id = $2 AND connector_id = $3 AND unique_id = ANY ($4::text[])`,
    [organizationId, workspaceId, connectorId, uniqueIds],
  );
}
