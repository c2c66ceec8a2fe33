import { only, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../tenant.js';

/** Which series of a workspace; all without a filter. */
export interface SeriesFilter {
  readonly uniqueIds?: readonly string[];
  readonly category?: string;
  /** Only series that have demand. */
  readonly withDemand?: boolean;
}

const MATCHES = `
  organization_id = $1 AND workspace_id = $2
  AND ($3::text[] IS NULL OR unique_id = ANY ($3::text[]))
  AND ($4::text IS NULL OR category = $4)
  AND (NOT $5 OR EXISTS (SELECT 1 FROM demand WHERE demand.series_id = series.id))`;

/** Ids in the order of their unique_id (collation C). */
export async function listSeriesIds(
  database: Queryable,
  tenant: WorkspaceTenant,
  filter: SeriesFilter = {},
): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM series WHERE ${MATCHES} ORDER BY unique_id`,
    parametersOf(tenant, filter),
  );
  return rows.map((row) => row.id);
}

export async function countSeries(
  database: Queryable,
  tenant: WorkspaceTenant,
  filter: SeriesFilter = {},
): Promise<number> {
  const rows = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM series WHERE ${MATCHES}`,
    parametersOf(tenant, filter),
  );
  return only(rows).count;
}

/** Names and units of series; ids that are not there are left out. */
export async function describeSeries(
  database: Queryable,
  tenant: WorkspaceTenant,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly productName: string | null; readonly unit: string | null }>> {
  const rows = await database.query<{ id: string; product_name: string | null; unit: string | null }>(
    `SELECT id, product_name, unit FROM series WHERE organization_id = $1 AND workspace_id = $2 AND id = ANY ($3::uuid[])`,
    [tenant.organizationId, tenant.workspaceId, seriesIds],
  );
  return new Map(rows.map((row) => [row.id, { productName: row.product_name, unit: row.unit }]));
}

function parametersOf(tenant: WorkspaceTenant, filter: SeriesFilter): unknown[] {
  return [
    tenant.organizationId,
    tenant.workspaceId,
    filter.uniqueIds ?? null,
    filter.category ?? null,
    filter.withDemand ?? false,
  ];
}
