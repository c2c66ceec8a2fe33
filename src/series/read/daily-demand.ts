import { type MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { monthStarts, packedDay, packedLength, packedQuantity } from './packed-demand.js';
import { readPackedYears } from './packed-years.queries.js';

/** Demand of one series by day, for one month. */
export interface DailyDemand {
  readonly seriesId: string;
  readonly month: MonthNumber;
  /** Whether the month is a single figure, stored on its first day, rather than known by day. */
  readonly isFigure: boolean;
  /** One value per day of the month, NaN where missing. */
  readonly values: Float64Array;
}

/**
 * Daily demand of series in the months `from` to `to`, in month order within each series. Months without demand are omitted.
 * @param from first month, 12 * year + month - 1
 * @param to last month
 */
export async function readDailyDemand(
  db: Queryable,
  tenant: WorkspaceTenant,
  { from, to }: { readonly from: MonthNumber; readonly to: MonthNumber },
  seriesIds: readonly string[],
): Promise<readonly DailyDemand[]> {
  const rows = await readPackedYears(db, tenant, { from, to }, seriesIds);
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

/** Demand of two series in the same month, added up by day. */
export function addDailyDemand(one: DailyDemand, other: DailyDemand): DailyDemand {
  const values = one.values.map((value, day) => {
    const more = other.values[day]!;
    if (Number.isNaN(value)) return more;
    return Number.isNaN(more) ? value : value + more;
  });
  return { ...one, isFigure: one.isFigure || other.isFigure, values };
}
