import { only, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../tenant.js';
import type { MonthNumber } from './months.queries.js';

/** Which series of a workspace; all without a filter. */
export interface SeriesFilter {
  readonly uniqueIds?: readonly string[];
  readonly category?: string;
}

/** What a series needs to be forecast. */
export interface NeededHistory {
  /** Fewest months with demand. */
  readonly months: number;
  /** Those that are enough where demand is the same in all of them; returns count as none. */
  readonly constantMonths: number;
  /** The last month that counts. */
  readonly lastMonth: MonthNumber;
}

const MATCHES = `
  organization_id = $1 AND workspace_id = $2
  AND ($3::text[] IS NULL OR unique_id = ANY ($3::text[]))
  AND ($4::text IS NULL OR category = $4)`;

/** Months with demand of a series up to that of year $5 with the highest bit of $6. */
const OBSERVED = `(
  SELECT sum(bit_count((CASE WHEN year = $5 THEN observed_months & $6 ELSE observed_months END)::int::bit(12)))
  FROM demand WHERE demand.series_id = series.id AND year <= $5)`;

/** Whether the demand of these months is the same in all; months without a row of their own have none. */
const CONSTANT = `(
  SELECT coalesce(max(total), 0) = 0 OR (min(total) = max(total) AND count(*) = ${OBSERVED})
  FROM (
    SELECT greatest(sum(quantity), 0) AS total
    FROM demand CROSS JOIN unnest(days, quantities) AS sold (day, quantity)
    WHERE demand.series_id = series.id AND year <= $5
      AND (year < $5 OR (1 << (extract(month FROM day)::int - 1)) & $6 <> 0)
    GROUP BY year, extract(month FROM day)
  ) AS months)`;

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

/** Those of the identifiers that no series of the workspace has, in their order. */
export async function unknownUniqueIds(
  database: Queryable,
  tenant: WorkspaceTenant,
  uniqueIds: readonly string[],
): Promise<readonly string[]> {
  if (uniqueIds.length === 0) return [];
  const rows = await database.query<{ unique_id: string }>(
    `SELECT unique_id FROM series WHERE organization_id = $1 AND workspace_id = $2 AND unique_id = ANY ($3::text[])`,
    [tenant.organizationId, tenant.workspaceId, uniqueIds],
  );
  const known = new Set(rows.map((row) => row.unique_id));
  return uniqueIds.filter((uniqueId) => !known.has(uniqueId));
}

/** Whether any of the series has the history. */
export async function hasHistory(
  database: Queryable,
  tenant: WorkspaceTenant,
  filter: SeriesFilter,
  { months, constantMonths, lastMonth }: NeededHistory,
): Promise<boolean> {
  const year = Math.floor(lastMonth / 12);
  const monthsOfYear = (2 << (lastMonth % 12)) - 1; // bits of the months up to the last one
  const parameters = [...parametersOf(tenant, filter), year, monthsOfYear];
  const exists = async (condition: string, ...needed: number[]): Promise<boolean> =>
    only(
      await database.query<{ found: boolean }>(
        `SELECT EXISTS (SELECT FROM series WHERE ${MATCHES} AND ${condition}) AS found`,
        [...parameters, ...needed],
      ),
    ).found;
  if (await exists(`${OBSERVED} >= $7`, months)) return true;
  // apart, since it reads the demand of every series: only where all are too short
  return constantMonths < months && exists(`${OBSERVED} >= $7 AND ${CONSTANT}`, constantMonths);
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
  return [tenant.organizationId, tenant.workspaceId, filter.uniqueIds ?? null, filter.category ?? null];
}
