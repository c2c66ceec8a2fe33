import type { Queryable } from '../../platform/database/database.js';
import { only } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../tenant.js';

/**
 * Later values of a day win over the stored ones; rows that would not change are not written. A month is one figure or a sum
 * of days, never both: a figure takes the place of the month's days, days that of its figure.
 */
const MERGE_DEMAND = `
  ON CONFLICT (series_id, year) DO UPDATE SET
    observed_months = known.observed_months | excluded.observed_months,
    month_figures = (known.month_figures & ~excluded.observed_months) | excluded.month_figures,
    (days, quantities) = (
      SELECT array_agg(day), array_agg(quantity)
      FROM (
        SELECT DISTINCT ON (day) day, quantity
        FROM (
          SELECT day, quantity, 0 AS age FROM unnest(excluded.days, excluded.quantities) AS given (day, quantity)
          UNION ALL
          SELECT day, quantity, 1
          FROM unnest(known.days, known.quantities) AS stored (day, quantity),
            (SELECT excluded.month_figures | (known.month_figures & excluded.observed_months)) AS replaced (months)
          WHERE replaced.months = 0 OR (replaced.months >> (extract(month FROM day)::int - 1)) & 1 = 0
        ) AS both_sides
        ORDER BY day, age
      ) AS latest
    )
  WHERE (known.month_figures, known.days, known.quantities)
    IS DISTINCT FROM (excluded.month_figures, excluded.days, excluded.quantities)`;

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

/**
 * Lets one upload at a time merge into a workspace, and keeps the workspace from being removed meanwhile.
 * @returns false where there is no such workspace
 */
export async function lockWorkspace(transaction: Queryable, tenant: WorkspaceTenant): Promise<boolean> {
  const rows = await transaction.query(
    `SELECT id FROM workspaces WHERE id = $1 AND organization_id = $2 FOR NO KEY UPDATE`,
    [tenant.workspaceId, tenant.organizationId],
  );
  return rows.length === 1;
}

/**
 * Tells the planner what this transaction has staged. Without, it takes the tables for small and joins them by trying
 * every pair, which a large upload does not survive.
 */
export async function analyzeStaging(transaction: Queryable): Promise<void> {
  await transaction.execute('ANALYZE staged_series, staged_demand (block, number, year)');
}

/** As {@link analyzeStaging}, once it is known which of the series are new. */
export async function analyzeStagedSeries(transaction: Queryable): Promise<void> {
  await transaction.execute('ANALYZE staged_series');
}

/**
 * Notes under which id each series of the block is stored (its own where it is new), creates the new ones, and gives the
 * others what the block says about them. The workspace is locked, so nobody else creates the same.
 */
export async function mergeSeries(
  transaction: Queryable,
  tenant: WorkspaceTenant,
  block: number,
  now: Date,
): Promise<void> {
  await matchSeries(transaction, tenant, block);
  await transaction.execute(
    `UPDATE series AS known SET
       product_name = coalesce(staged.product_name, known.product_name),
       category = coalesce(staged.category, known.category),
       unit = coalesce(staged.unit, known.unit),
       metadata = known.metadata || staged.metadata,
       updated_at = $4
     FROM staged_series AS staged
     WHERE staged.block = $3 AND staged.stored_id <> staged.id
       AND known.organization_id = $1 AND known.workspace_id = $2 AND known.id = staged.stored_id`,
    [tenant.organizationId, tenant.workspaceId, block, now],
  );
  await insertNewSeries(transaction, tenant, block, now);
}

/** Notes under which id the workspace has each series of the block; those it does not have keep their own. */
export async function matchSeries(transaction: Queryable, tenant: WorkspaceTenant, block: number): Promise<void> {
  await transaction.execute(
    `UPDATE staged_series AS staged SET stored_id = known.id
       FROM series AS known
      WHERE staged.block = $3 AND known.organization_id = $1 AND known.workspace_id = $2 AND known.unique_id = staged.unique_id`,
    [tenant.organizationId, tenant.workspaceId, block],
  );
}

/** Creates the series of the block that the workspace does not have; call it after {@link matchSeries}. */
export async function insertNewSeries(
  transaction: Queryable,
  tenant: WorkspaceTenant,
  block: number,
  now: Date,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO series
       (id, organization_id, workspace_id, unique_id, product_name, category, unit, metadata, created_at, updated_at)
     SELECT id, $1, $2, unique_id, product_name, category, unit, metadata, $4, $4
       FROM staged_series WHERE block = $3 AND stored_id = id
      ORDER BY number`,
    [tenant.organizationId, tenant.workspaceId, block, now],
  );
}

/** Takes out what is stored for the months that the block gives, so that it replaces them whole. */
export async function clearStagedMonths(transaction: Queryable, tenant: WorkspaceTenant, block: number): Promise<void> {
  await transaction.execute(
    `UPDATE demand AS known SET
       observed_months = known.observed_months & ~staged.observed_months,
       month_figures = known.month_figures & ~staged.observed_months,
       (days, quantities) = (
         SELECT coalesce(array_agg(day ORDER BY day), '{}'), coalesce(array_agg(quantity ORDER BY day), '{}')
         FROM unnest(known.days, known.quantities) AS stored (day, quantity)
         WHERE (staged.observed_months >> (extract(month FROM day)::int - 1)) & 1 = 0
       )
     FROM staged_demand AS staged JOIN staged_series AS series USING (block, number)
     WHERE staged.block = $3 AND known.organization_id = $1 AND known.workspace_id = $2
       AND known.series_id = series.stored_id AND known.year = staged.year`,
    [tenant.organizationId, tenant.workspaceId, block],
  );
}

/** Series the upload created, and others it has demand for. */
export async function countMergedSeries(transaction: Queryable): Promise<{ created: number; updated: number }> {
  const { created, distinct } = only(
    await transaction.query<{ created: number; distinct: number }>(
      `SELECT (count(*) FILTER (WHERE id = stored_id))::int AS created, count(DISTINCT stored_id)::int AS distinct FROM staged_series`,
    ),
  );
  return { created, updated: distinct - created };
}

/** Days that two blocks give for the same series; within a block the reader has found them already. */
export async function findDaysRepeatedAcrossBlocks(
  transaction: Queryable,
): Promise<readonly { unique_id: string; day: string; lines: string }[]> {
  return transaction.query(
    `WITH shared AS (
       SELECT series.stored_id AS id, demand.year
       FROM staged_demand AS demand JOIN staged_series AS series USING (block, number)
       GROUP BY 1, 2
       HAVING count(*) > 1
     )
     SELECT min(series.unique_id) AS unique_id, entry.day::text AS day, string_agg(entry.line::text, ' ' ORDER BY entry.line) AS lines
     FROM shared
     JOIN staged_series AS series ON series.stored_id = shared.id
     JOIN staged_demand AS demand USING (block, number, year)
     CROSS JOIN LATERAL unnest(demand.days, demand.lines) AS entry (day, line)
     GROUP BY series.stored_id, entry.day
     HAVING count(*) > 1
     ORDER BY min(entry.line)`,
  );
}

/** Days that one block gives of a month which another gives as one figure, with the lines of both. */
export async function findMonthsGivenTwiceAcrossBlocks(
  transaction: Queryable,
): Promise<readonly { unique_id: string; day: string; line: number; figure_line: number }[]> {
  return transaction.query(
    `WITH mixed AS (
       SELECT series.stored_id AS id, demand.year
       FROM staged_demand AS demand JOIN staged_series AS series USING (block, number)
       GROUP BY 1, 2
       HAVING count(*) > 1 AND bit_or(month_figures) <> 0
     ),
     entries AS (
       SELECT series.stored_id AS id, series.unique_id, entry.day, entry.line, date_trunc('month', entry.day) AS month,
         (demand.month_figures >> (extract(month FROM entry.day)::int - 1)) & 1 = 1 AS is_figure
       FROM mixed
       JOIN staged_series AS series ON series.stored_id = mixed.id
       JOIN staged_demand AS demand USING (block, number, year)
       CROSS JOIN LATERAL unnest(demand.days, demand.lines) AS entry (day, line)
     )
     SELECT given.unique_id, given.day::text AS day, given.line, figure.line AS figure_line
     FROM entries AS figure JOIN entries AS given USING (id, month)
     WHERE figure.is_figure AND NOT given.is_figure AND given.day <> figure.day
     ORDER BY given.line`,
  );
}

/**
 * Months of the block's series that are about to change their kind: days that a figure takes the place of, and figures that
 * days do.
 */
export async function countReplacedMonths(
  transaction: Queryable,
  tenant: WorkspaceTenant,
  block: number,
): Promise<{ byFigures: number; byDays: number }> {
  return only(
    await transaction.query<{ byFigures: number; byDays: number }>(
      `SELECT
         coalesce(sum(bit_count((staged.month_figures & known.observed_months & ~known.month_figures)::int::bit(12))), 0)::int AS "byFigures",
         coalesce(sum(bit_count((known.month_figures & staged.observed_months & ~staged.month_figures)::int::bit(12))), 0)::int AS "byDays"
       FROM staged_demand AS staged JOIN staged_series AS series USING (block, number)
       JOIN demand AS known ON known.series_id = series.stored_id AND known.year = staged.year
       WHERE staged.block = $3 AND series.id <> series.stored_id AND known.organization_id = $1 AND known.workspace_id = $2`,
      [tenant.organizationId, tenant.workspaceId, block],
    ),
  );
}

/** Stores the block's demand; a series that was created with this block has none to merge with, which is half the work. */
export async function mergeDemand(transaction: Queryable, tenant: WorkspaceTenant, block: number): Promise<void> {
  const insert = (which: string): string =>
    `INSERT INTO demand AS known (series_id, organization_id, workspace_id, year, observed_months, month_figures, days, quantities)
     SELECT series.stored_id, $1, $2, demand.year, demand.observed_months, demand.month_figures, demand.days, demand.quantities
     FROM staged_demand AS demand JOIN staged_series AS series USING (block, number)
     WHERE demand.block = $3 AND ${which}`;
  const parameters = [tenant.organizationId, tenant.workspaceId, block];
  await transaction.execute(insert('series.id = series.stored_id'), parameters);
  await transaction.execute(`${insert('series.id <> series.stored_id')} ${MERGE_DEMAND}`, parameters);
}

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
