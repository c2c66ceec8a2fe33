import { exists, one, type Queryable } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import { countDemandChange } from '../../demand-version.queries.js';
import { countMonths, monthBitOfDay } from '../../month-sql.js';
import { countTargetChange, TARGET_COLUMNS } from '../../stock-targets.queries.js';

/**
 * Merges the given days into a stored row. A row that would not change is not written: if it equals the given one, or if it already
 * contains the given days, their months are of the same kind, and no other stored day has to be removed.
 * @param replaced SQL of a bit mask (bit 0 for January): in these months only the given days remain
 */
const mergeRow = (replaced: string): string => `
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
            (SELECT ${replaced}) AS replaced (months)
          WHERE replaced.months = 0 OR ${monthBitOfDay('replaced.months', 'day')} = 0
        ) AS both_sides
        ORDER BY day, age
      ) AS latest
    )
  WHERE (known.month_figures, known.days, known.quantities)
      IS DISTINCT FROM (excluded.month_figures, excluded.days, excluded.quantities)
    AND (
      (known.month_figures & excluded.observed_months) <> excluded.month_figures
      OR EXISTS (
        SELECT * FROM unnest(excluded.days, excluded.quantities)
        EXCEPT SELECT * FROM unnest(known.days, known.quantities)
      )
      OR (${replaced}) <> 0 AND EXISTS (
        SELECT day FROM unnest(known.days) AS day WHERE ${monthBitOfDay(replaced, 'day')} = 1
        EXCEPT SELECT unnest(excluded.days)
      )
    )`;

/**
 * New values of a day replace the stored ones. A month is a single figure or a sum of days, never both: a new figure replaces the month's
 * days, new days replace its figure.
 */
export const MERGE_DEMAND = mergeRow('excluded.month_figures | (known.month_figures & excluded.observed_months)');

/** The given months are complete: nothing stored for them remains. */
export const REPLACE_MONTHS = mergeRow('excluded.observed_months');

/**
 * Gives the planner statistics on what this transaction has staged. Otherwise it assumes small tables and joins them by nested loops, which
 * practically never finish for a large upload.
 */
export async function analyzeStaging(tx: Queryable): Promise<void> {
  await tx.execute('ANALYZE staged_series, staged_demand (block, number, year)');
}

/** As {@link analyzeStaging}, once it is known which of the series are new. */
export async function analyzeStagedSeries(tx: Queryable): Promise<void> {
  await tx.execute('ANALYZE staged_series');
}

/** The value of a column after merging that of the block: what the block does not say is kept. */
const latest = (column: string): string => `coalesce(staged.${column}, known.${column})`;

/** The columns that describe a series, with their merged values. */
const DESCRIPTION = { product_name: latest('product_name'), metadata: 'known.metadata || staged.metadata' };
/** Those by which totals are formed. */
const GROUP = { category: latest('category'), unit: latest('unit') };
/** Those of its stock target. */
const TARGET = {
  lead_time_months: latest('lead_time_months'),
  lead_time_sd_months: latest('lead_time_sd_months'),
  target_service_level: latest('target_service_level'),
};

/**
 * Creates the new series of the block and updates the description and the stock target of the others where they change. Call it after
 * {@link matchSeries}, with the workspace locked, so that no other process creates the same series.
 */
export async function mergeSeries(tx: Queryable, tenant: WorkspaceTenant, block: number, now: Date): Promise<void> {
  const isRegrouped = await mergeColumns(tx, tenant, block, now, GROUP);
  if ((await mergeColumns(tx, tenant, block, now, DESCRIPTION)) || isRegrouped) await countDemandChange(tx, tenant);
  const hasTargets = await exists(
    tx,
    `SELECT FROM staged_series WHERE block = $1 AND num_nonnulls(${TARGET_COLUMNS}) > 0`,
    [block],
  );
  // apart from the description, since forecasts do not depend on them
  const isRetargeted = hasTargets && (await mergeColumns(tx, tenant, block, now, TARGET));
  if (isRetargeted || isRegrouped) await countTargetChange(tx, tenant);
  await insertNewSeries(tx, tenant, block, now);
}

/**
 * Updates columns of the block's series that the workspace already has.
 * @param merged SQL of their values, by column
 * @returns whether that changed any
 */
async function mergeColumns(
  tx: Queryable,
  tenant: WorkspaceTenant,
  block: number,
  now: Date,
  merged: Readonly<Record<string, string>>,
): Promise<boolean> {
  const columns = Object.keys(merged);
  const values = Object.values(merged).join(', ');
  const changed = await tx.execute(
    `UPDATE series AS known SET (${columns.join(', ')}, updated_at) = (${values}, $4)
     FROM staged_series AS staged
     WHERE staged.block = $3 AND staged.stored_id <> staged.id
       AND known.organization_id = $1 AND known.workspace_id = $2 AND known.id = staged.stored_id
       AND (${columns.map((column) => `known.${column}`).join(', ')}) IS DISTINCT FROM (${values})`,
    [tenant.organizationId, tenant.workspaceId, block, now],
  );
  return changed > 0;
}

/** Sets `stored_id` to the id that a series has in the workspace; new series keep their own. */
export async function matchSeries(tx: Queryable, tenant: WorkspaceTenant, block: number): Promise<void> {
  await tx.execute(
    `UPDATE staged_series AS staged SET stored_id = known.id
       FROM series AS known
      WHERE staged.block = $3 AND known.organization_id = $1 AND known.workspace_id = $2 AND known.unique_id = staged.unique_id`,
    [tenant.organizationId, tenant.workspaceId, block],
  );
}

/** Creates the series of the block that the workspace lacks; call it after {@link matchSeries}. */
async function insertNewSeries(tx: Queryable, tenant: WorkspaceTenant, block: number, now: Date): Promise<void> {
  await tx.execute(
    `INSERT INTO series
       (id, organization_id, workspace_id, unique_id, product_name, category, unit, metadata, ${TARGET_COLUMNS}, created_at, updated_at)
     SELECT id, $1, $2, unique_id, product_name, category, unit, metadata, ${TARGET_COLUMNS}, $4, $4
       FROM staged_series WHERE block = $3 AND stored_id = id
      ORDER BY number`,
    [tenant.organizationId, tenant.workspaceId, block, now],
  );
}

/** How many series the upload created, and how many existing ones it has demand for. */
export async function countMergedSeries(tx: Queryable): Promise<{ created: number; updated: number }> {
  const { created, distinct } = await one<{ created: number; distinct: number }>(
    tx,
    `SELECT (count(*) FILTER (WHERE id = stored_id))::int AS created, count(DISTINCT stored_id)::int AS distinct FROM staged_series`,
  );
  return { created, updated: distinct - created };
}

/** How many stored months are about to change kind: days replaced by a figure, and figures replaced by days. */
export function countReplacedMonths(
  tx: Queryable,
  tenant: WorkspaceTenant,
  block: number,
): Promise<{ byFigures: number; byDays: number }> {
  // OFFSET 0 forces a lookup by key: the planner assumes that tables filled by this upload are small and would use nested loops
  return one<{ byFigures: number; byDays: number }>(
    tx,
    `SELECT
         coalesce(sum(${countMonths('staged.month_figures & known.observed_months & ~known.month_figures')}), 0)::int AS "byFigures",
         coalesce(sum(${countMonths('known.month_figures & staged.observed_months & ~staged.month_figures')}), 0)::int AS "byDays"
       FROM staged_demand AS staged JOIN staged_series AS series USING (block, number)
       CROSS JOIN LATERAL (
         SELECT organization_id, workspace_id, observed_months, month_figures FROM demand
         WHERE series_id = series.stored_id AND year = staged.year OFFSET 0
       ) AS known
       WHERE staged.block = $3 AND series.id <> series.stored_id AND known.organization_id = $1 AND known.workspace_id = $2`,
    [tenant.organizationId, tenant.workspaceId, block],
  );
}

/**
 * Stores the block's demand. Series created by this block need no merge, which halves the work.
 * @param merge {@link MERGE_DEMAND} or {@link REPLACE_MONTHS}
 */
export async function mergeDemand(tx: Queryable, tenant: WorkspaceTenant, block: number, merge: string): Promise<void> {
  const insert = (which: string): string =>
    `INSERT INTO demand AS known (series_id, organization_id, workspace_id, year, observed_months, month_figures, days, quantities)
     SELECT series.stored_id, $1, $2, demand.year, demand.observed_months, demand.month_figures, demand.days, demand.quantities
     FROM staged_demand AS demand JOIN staged_series AS series USING (block, number)
     WHERE demand.block = $3 AND ${which}`;
  const parameters = [tenant.organizationId, tenant.workspaceId, block];
  const created = await tx.execute(insert('series.id = series.stored_id'), parameters);
  const changed = await tx.execute(`${insert('series.id <> series.stored_id')} ${merge}`, parameters);
  if (created + changed > 0) await countDemandChange(tx, tenant);
}
