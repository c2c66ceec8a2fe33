import type { MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import type { PackedYear } from './packed-demand.js';

/**
 * Demand of series in the years of the months `from` to `to`, in year order within each series. Looked up by series alone: with the
 * workspace as a condition, PostgreSQL reads all of its demand until statistics cover a recent upload.
 */
export function readPackedYears(
  db: Queryable,
  tenant: WorkspaceTenant,
  { from, to }: { readonly from: MonthNumber; readonly to: MonthNumber },
  seriesIds: readonly string[],
): Promise<PackedYear[]> {
  return db.query<PackedYear>(
    `SELECT series_id AS "seriesId", year, observed_months AS "observedMonths", month_figures AS "monthFigures",
       array_send(days) AS days, array_send(quantities) AS quantities
     FROM demand
     WHERE organization_id = $1 AND year BETWEEN $2 AND $3 AND series_id = ANY ($4::uuid[])
     ORDER BY series_id, year`,
    [tenant.organizationId, Math.floor(from / 12), Math.floor(to / 12), seriesIds],
  );
}
