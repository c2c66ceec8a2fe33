import { only, type Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../tenant.js';
import { MERGE_DEMAND } from './merge.queries.js';

/**
 * First and last observed month (12 * year + month - 1) and number of observed months of the upload's series. Lateral, so
 * that it is one index range a series whatever the planner believes of tables that this transaction has filled.
 */
const SPANS = `
  SELECT staged.id AS series_id, span.*
  FROM (SELECT DISTINCT stored_id AS id FROM staged_series) AS staged
  CROSS JOIN (SELECT array_agg((1 << bit)::smallint ORDER BY bit) FROM generate_series(0, 11) AS bit) AS bits (powers)
  CROSS JOIN LATERAL (
    SELECT min(12 * year + width_bucket((observed_months & -observed_months)::smallint, powers) - 1) AS first_month,
      max(12 * year + width_bucket(observed_months, powers) - 1) AS last_month,
      sum(bit_count(observed_months::int::bit(12)))::int AS observed
    FROM demand WHERE series_id = staged.id
  ) AS span`;

/** Stores zero for the months (a query of `series_id` and `month`), which have no value, and counts them. */
const storeZeros = (months: string): string => `
  WITH missing AS (
    SELECT series_id, month / 12 AS year, bit_or(1 << (month % 12)) AS months,
      array_agg(make_date(month / 12, month % 12 + 1, 1) ORDER BY month) AS days
    FROM (${months}) AS empty
    GROUP BY 1, 2
  ),
  stored AS (
    INSERT INTO demand AS known (series_id, organization_id, workspace_id, year, observed_months, days, quantities)
    SELECT series_id, $1, $2, year, months, days, array_fill(0::float8, ARRAY[cardinality(days)]) FROM missing
    ${MERGE_DEMAND}
  )
  SELECT coalesce(sum(cardinality(days)), 0)::int AS filled FROM missing`;

/**
 * Stores zero for every month without a value from the first month of each series of the upload to `lastMonth`.
 * @param lastMonth 12 * year + month - 1
 * @returns how many months
 */
export async function fillWithZero(
  transaction: Queryable,
  tenant: WorkspaceTenant,
  lastMonth: number,
): Promise<number> {
  const { organizationId, workspaceId } = tenant;
  const rows = await transaction.query<{ filled: number }>(
    storeZeros(`
      SELECT spans.series_id, month
      FROM (${SPANS}) AS spans
      CROSS JOIN LATERAL generate_series(first_month, $3) AS month
      LEFT JOIN demand ON demand.series_id = spans.series_id AND demand.year = month / 12
      WHERE demand.series_id IS NULL OR (demand.observed_months >> (month % 12)) & 1 = 0`),
    [organizationId, workspaceId, lastMonth],
  );
  return only(rows).filled;
}

/**
 * Stores zero for months of series that have no value in them.
 * @param months each 12 * year + month - 1, by series id
 */
export async function storeZeroMonths(
  transaction: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  months: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const pairs = [...months].flatMap(([seriesId, own]) => own.map((month) => [seriesId, month] as const));
  await transaction.query(
    storeZeros(`
      SELECT series.id AS series_id, given.month
      FROM unnest($3::uuid[], $4::int[]) AS given (series_id, month)
      JOIN series ON series.organization_id = $1 AND series.workspace_id = $2 AND series.id = given.series_id`),
    [organizationId, workspaceId, pairs.map(([seriesId]) => seriesId), pairs.map(([, month]) => month)],
  );
}

/** Months without a value between the first and the last month of the upload's series. */
export async function countGaps(transaction: Queryable): Promise<{ gaps: number; seriesWithGaps: number }> {
  const rows = await transaction.query<{ gaps: number; seriesWithGaps: number }>(
    `SELECT coalesce(sum(last_month - first_month + 1 - observed), 0)::int AS gaps,
       (count(*) FILTER (WHERE last_month - first_month + 1 > observed))::int AS "seriesWithGaps"
     FROM (${SPANS}) AS spans`,
  );
  return only(rows);
}
