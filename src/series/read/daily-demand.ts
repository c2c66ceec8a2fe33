import { type MonthNumber } from '../../forecasting/index.js';
import { inBatches } from '../../platform/batches.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { readDemandSources } from '../successions.queries.js';
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

/** Number of series whose demand is read at a time, for each month: a year of days takes 8 kB, and years are read whole. */
const READ_AT_A_TIME = 500;

/**
 * Daily demand that counts for the series, theirs and that of the series they have replaced, added up by day. In month order within each
 * series.
 * @param version of the workspace's demand, as for {@link readDemandSources}
 * @param counts whether a month of one series counts
 */
export async function readCountedDays(
  db: Queryable,
  tenant: WorkspaceTenant,
  { from, to, version }: { readonly from: MonthNumber; readonly to: MonthNumber; readonly version: number },
  seriesIds: readonly string[],
  counts: (demand: DailyDemand) => boolean = () => true,
): Promise<ReadonlyMap<string, readonly DailyDemand[]>> {
  const sources = await readDemandSources(db, tenant, seriesIds, version);
  const counted = new Map<string, Map<MonthNumber, DailyDemand>>();
  // a series may have replaced thousands
  for (const ids of inBatches([...sources.keys()], Math.ceil(READ_AT_A_TIME / (to - from + 1)))) {
    for (const demand of (await readDailyDemand(db, tenant, { from, to }, ids)).filter(counts)) {
      const seriesId = sources.get(demand.seriesId)!;
      const months = counted.get(seriesId) ?? new Map<MonthNumber, DailyDemand>();
      const known = months.get(demand.month);
      counted.set(seriesId, months.set(demand.month, known ? addDailyDemand(known, demand) : { ...demand, seriesId }));
    }
  }
  const ordered = (months: Map<MonthNumber, DailyDemand>) => [...months.values()].toSorted((a, b) => a.month - b.month);
  return new Map([...counted].map(([seriesId, months]) => [seriesId, ordered(months)]));
}

/** Demand of two series in the same month, added up by day. */
function addDailyDemand(one: DailyDemand, other: DailyDemand): DailyDemand {
  const values = one.values.map((value, day) => {
    const more = other.values[day]!;
    if (Number.isNaN(value)) return more;
    return Number.isNaN(more) ? value : value + more;
  });
  return { ...one, isFigure: one.isFigure || other.isFigure, values };
}
