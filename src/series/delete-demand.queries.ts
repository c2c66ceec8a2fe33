import { type MonthNumber } from '../forecasting/index.js';
import { one, type Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';
import { countDemandChange } from './demand-version.queries.js';
import { countMonths, monthBitOfDay, monthOfDay } from './month-sql.js';
import { countTargetChange } from './stock-targets.queries.js';

interface MonthRange {
  readonly from: MonthNumber;
  readonly to: MonthNumber;
}

/**
 * Deletes a series' demand for the months `from` to `to`, and the rows of years that this empties. The caller holds the workspace lock.
 * @returns the number of months with demand that were deleted
 */
export async function deleteDemand(
  tx: Queryable,
  tenant: WorkspaceTenant,
  seriesId: string,
  { from, to }: MonthRange,
): Promise<number> {
  await forgetRetired(tx, tenant, seriesId, { from, to });
  const parameters = [tenant.organizationId, tenant.workspaceId, seriesId, from, to];
  const { months } = await one<{ months: number }>(
    tx,
    `WITH doomed AS (
         SELECT year, observed_months & bit_or((1 << (month % 12))::int) AS bits
         FROM demand JOIN generate_series($4::int, $5::int) AS month ON month / 12 = year
         WHERE organization_id = $1 AND workspace_id = $2 AND series_id = $3
         GROUP BY series_id, year
       ),
       changed AS (
         UPDATE demand AS known SET
           observed_months = (known.observed_months & ~doomed.bits)::int2,
           month_figures = (known.month_figures & ~doomed.bits)::int2,
           (days, quantities) = (
             SELECT coalesce(array_agg(day ORDER BY day), '{}'), coalesce(array_agg(quantity ORDER BY day), '{}')
             FROM unnest(known.days, known.quantities) AS stored (day, quantity)
             WHERE ${monthBitOfDay('doomed.bits', 'day')} = 0
           )
         FROM doomed
         WHERE known.organization_id = $1 AND known.workspace_id = $2 AND known.series_id = $3 AND known.year = doomed.year
       )
       SELECT coalesce(sum(${countMonths('bits')}), 0)::int AS months FROM doomed`,
    parameters,
  );
  await tx.execute(
    `DELETE FROM demand WHERE organization_id = $1 AND workspace_id = $2 AND series_id = $3 AND observed_months = 0`,
    parameters.slice(0, 3),
  );
  if (months > 0) await countDemandChange(tx, tenant);
  return months;
}

/**
 * Deletes a series with its demand, that of removed connectors too, forecasts of past runs, alerts, trends and overrides. The caller holds
 * the workspace lock.
 * @returns whether it existed
 */
export async function deleteSeries(tx: Queryable, tenant: WorkspaceTenant, seriesId: string): Promise<boolean> {
  const deleted = await tx.execute(`DELETE FROM series WHERE organization_id = $1 AND workspace_id = $2 AND id = $3`, [
    tenant.organizationId,
    tenant.workspaceId,
    seriesId,
  ]);
  if (deleted === 0) return false;
  await countDemandChange(tx, tenant);
  await countTargetChange(tx, tenant); // the feed's totals had it
  return true;
}

/** Deletes what removed connectors counted in these months; it would otherwise be added to the orders of other connectors again. */
async function forgetRetired(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  seriesId: string,
  { from, to }: MonthRange,
): Promise<void> {
  await tx.execute(
    `DELETE FROM connector_retired_demand AS retired USING series
     WHERE series.organization_id = $1 AND series.workspace_id = $2 AND series.id = $3
       AND retired.organization_id = $1 AND retired.workspace_id = $2 AND retired.unique_id = series.unique_id
       AND ${monthOfDay('retired.day')} BETWEEN $4 AND $5`,
    [organizationId, workspaceId, seriesId, from, to],
  );
}
