import { type MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { monthStarts, packedDay, packedLength, packedQuantity } from './packed-demand.js';

/** Demand of one series by day of one month. */
export interface DailyDemand {
  readonly seriesId: string;
  readonly month: MonthNumber;
  /** Whether the month is one figure, stored on its first day, and not known by days. */
  readonly isFigure: boolean;
  /** One value a day of the month, NaN where there is none. */
  readonly values: Float64Array;
}

/**
 * Daily demand of series in the months `from` to `to`, in the order of the months for each series. Months without demand are left
 * out.
 * @param from first month, 12 * year + month - 1
 * @param to last month
 */
export async function readDailyDemand(
  db: Queryable,
  tenant: WorkspaceTenant,
  { from, to }: { readonly from: MonthNumber; readonly to: MonthNumber },
  seriesIds: readonly string[],
): Promise<readonly DailyDemand[]> {
  const rows = await db.query<{
    seriesId: string;
    year: number;
    observedMonths: number;
    monthFigures: number;
    days: Buffer;
    quantities: Buffer;
  }>(
    `SELECT series_id AS "seriesId", year, observed_months AS "observedMonths", month_figures AS "monthFigures",
       array_send(days) AS days, array_send(quantities) AS quantities
     FROM demand
     WHERE organization_id = $1 AND workspace_id = $2 AND year BETWEEN $3 AND $4 AND series_id = ANY ($5::uuid[])
     ORDER BY series_id, year`,
    [tenant.organizationId, tenant.workspaceId, Math.floor(from / 12), Math.floor(to / 12), seriesIds],
  );
  return rows.flatMap((row) => {
    const starts = monthStarts(row.year);
    const byDay = new Float64Array(starts[12]! - starts[0]!).fill(NaN);
    for (let index = packedLength(row.days) - 1; index >= 0; index--) {
      byDay[packedDay(row.days, index) - starts[0]!] = packedQuantity(row.quantities, index);
    }
    const months: DailyDemand[] = [];
    for (let month = Math.max(from, 12 * row.year); month <= Math.min(to, 12 * row.year + 11); month++) {
      if (((row.observedMonths >> (month % 12)) & 1) === 0) continue;
      const values = byDay.slice(starts[month % 12]! - starts[0]!, starts[(month % 12) + 1]! - starts[0]!);
      const isFigure = ((row.monthFigures >> (month % 12)) & 1) === 1;
      months.push({ seriesId: row.seriesId, month, isFigure, values });
    }
    return months;
  });
}
