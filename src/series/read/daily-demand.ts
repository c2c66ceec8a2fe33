import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../tenant.js';
import { type MonthNumber } from './months.queries.js';
import { monthStarts, packedDay, packedLength, packedQuantity } from './packed-demand.js';

/** Demand of one series by day of one month. */
export interface DailyDemand {
  readonly seriesId: string;
  readonly uniqueId: string;
  /** One value a day of the month, NaN where there is none. */
  readonly values: Float64Array;
}

/**
 * Daily demand of a month, for demand sensing; series without any in the month are left out. By unique_id.
 * @param month 12 * year + month - 1
 */
export async function readDailyOfMonth(
  database: Queryable,
  tenant: WorkspaceTenant,
  month: MonthNumber,
  seriesIds?: readonly string[],
): Promise<readonly DailyDemand[]> {
  const year = Math.floor(month / 12);
  const rows = await database.query<{ series_id: string; unique_id: string; days: Buffer; quantities: Buffer }>(
    `SELECT demand.series_id, series.unique_id, array_send(demand.days) AS days, array_send(demand.quantities) AS quantities
     FROM demand JOIN series ON series.id = demand.series_id
     WHERE demand.organization_id = $1 AND demand.workspace_id = $2 AND demand.year = $3
       AND (demand.observed_months >> $4) & 1 = 1
       AND ($5::uuid[] IS NULL OR demand.series_id = ANY ($5::uuid[]))
     ORDER BY series.unique_id`,
    [tenant.organizationId, tenant.workspaceId, year, month % 12, seriesIds ?? null],
  );
  const starts = monthStarts(year);
  const [first, next] = [starts[month % 12]!, starts[(month % 12) + 1]!];
  return rows.map(({ series_id: seriesId, unique_id: uniqueId, days, quantities }) => {
    const values = new Float64Array(next - first).fill(NaN);
    for (let index = packedLength(days) - 1; index >= 0; index--) {
      const day = packedDay(days, index);
      if (day >= first && day < next) values[day - first] = packedQuantity(quantities, index);
    }
    return { seriesId, uniqueId, values };
  });
}
