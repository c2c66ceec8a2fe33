import { one, type Queryable } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import { countDemandChange } from '../../demand-version.queries.js';
import { monthBit } from '../../month-sql.js';
import { observedSpan } from '../../read/observed-span.js';
import { MERGE_DEMAND } from './merge.queries.js';

/**
 * The span of each series of the upload. LATERAL, for one index range per series: the planner has no statistics on tables filled by this
 * transaction.
 */
const SPANS = `
  SELECT staged.id AS series_id, span.*
  FROM (SELECT DISTINCT stored_id AS id FROM staged_series) AS staged
  CROSS JOIN LATERAL (${observedSpan('staged.id')}) AS span`;

/**
 * Stores zero for those of the given months that have no value.
 * @param months SQL that selects `series_id` and `month` (12 * year + month - 1), each pair once, for series of the tenant; $1 is the
 * organization, $2 the workspace. A query rather than a list, since there may be very many
 * @param parameters of that query, from $3 on
 * @returns the number of months filled
 */
export async function storeZeros(
  tx: Queryable,
  tenant: WorkspaceTenant,
  months: string,
  parameters: readonly unknown[],
): Promise<number> {
  const { filled } = await one<{ filled: number }>(
    tx,
    `WITH missing AS (
       SELECT given.series_id, month / 12 AS year, bit_or(1 << (month % 12)) AS months,
         array_agg(make_date(month / 12, month % 12 + 1, 1) ORDER BY month) AS days
       FROM (${months}) AS given
       LEFT JOIN demand ON demand.organization_id = $1 AND demand.workspace_id = $2
         AND demand.series_id = given.series_id AND demand.year = month / 12
       WHERE demand.series_id IS NULL OR ${monthBit('demand.observed_months', 'month')} = 0
       GROUP BY 1, 2
     ),
     stored AS (
       INSERT INTO demand AS known (series_id, organization_id, workspace_id, year, observed_months, days, quantities)
       SELECT series_id, $1, $2, year, months, days, array_fill(0::float8, ARRAY[cardinality(days)]) FROM missing
       ${MERGE_DEMAND}
     )
     SELECT coalesce(sum(cardinality(days)), 0)::int AS filled FROM missing`,
    [tenant.organizationId, tenant.workspaceId, ...parameters],
  );
  if (filled > 0) await countDemandChange(tx, tenant);
  return filled;
}

/**
 * Stores zero for every month without a value from the first month of each series of the upload to `lastMonth`.
 * @param lastMonth 12 * year + month - 1
 * @returns the number of months
 */
export function fillWithZero(tx: Queryable, tenant: WorkspaceTenant, lastMonth: number): Promise<number> {
  const months = `SELECT series_id, month FROM (${SPANS}) AS spans CROSS JOIN LATERAL generate_series(first_month, $3) AS month`;
  return storeZeros(tx, tenant, months, [lastMonth]);
}

/** Counts months without a value between the first and last month of the upload's series. */
export function countGaps(tx: Queryable): Promise<{ gaps: number; seriesWithGaps: number }> {
  return one<{ gaps: number; seriesWithGaps: number }>(
    tx,
    `SELECT coalesce(sum(last_month - first_month + 1 - observations), 0)::int AS gaps,
       (count(*) FILTER (WHERE last_month - first_month + 1 > observations))::int AS "seriesWithGaps"
     FROM (${SPANS}) AS spans`,
  );
}

/** A month without a value inside the history of a series; names as in an uploaded row. */
export interface MissingMonth {
  readonly unique_id: string;
  /** `YYYY-MM`. */
  readonly ds: string;
}

/** The first `limit` of the months counted by {@link countGaps}, by unique_id and month. */
export function listGaps(tx: Queryable, limit: number): Promise<MissingMonth[]> {
  // each of these series has at least one gap, so `limit` of them are enough
  return tx.query<MissingMonth>(
    `SELECT unique_id, to_char(make_date(month / 12, month % 12 + 1, 1), 'YYYY-MM') AS ds
     FROM (
       SELECT series_id, series.unique_id, first_month, last_month
       FROM (${SPANS}) AS spans JOIN series ON series.id = series_id
       WHERE last_month - first_month + 1 > observations ORDER BY series.unique_id LIMIT $1
     ) AS open
     CROSS JOIN LATERAL generate_series(first_month, last_month) AS month
     WHERE NOT EXISTS (
       SELECT FROM demand
       WHERE demand.series_id = open.series_id AND demand.year = month / 12 AND ${monthBit('observed_months', 'month')} = 1
     )
     ORDER BY unique_id, month LIMIT $1`,
    [limit],
  );
}
