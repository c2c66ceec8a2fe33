import { type MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { addMonthlyTotals, hasLaterDays, lastPackedDay, type PackedYear } from './packed-demand.js';
import { readDemandSources, successorOf } from '../successions.queries.js';
import { readPackedYears } from './packed-years.queries.js';

/** The monthly demand of one series, complete months only. */
export interface MonthlyHistory {
  readonly seriesId: string;
  readonly uniqueId: string;
  readonly category: string | null;
  readonly unit: string | null;
  readonly important: boolean;
  /** The unique_id of the series that has replaced this one, for which its demand counts; null if none has. */
  readonly replacedBy: string | null;
  /** Month of `values[0]` as 12 * year + month - 1. */
  readonly startMonth: MonthNumber;
  /**
   * Demand per month, with that of the series it has replaced; NaN where missing. All histories of a workspace end with the same month.
   * Empty without demand, and if the demand counts for another series.
   */
  readonly values: Float64Array;
  /** Last day with demand, 1 to 31, in the last month; null if that month has none or is a single figure. */
  readonly lastDay: number | null;
}

export interface HistorySelection {
  /** Ids, in the order of the histories. */
  readonly seriesIds: readonly string[];
  /** Years before that of this month are not read; by default all are. */
  readonly firstMonth?: MonthNumber;
  /** Where all of them end: see {@link findHistoryEnd}. */
  readonly lastMonth: MonthNumber;
  /** As for {@link readDemandSources}. */
  readonly demandVersion?: number;
}

/** Series per batch: about 20 MB for ten years of daily demand. Larger batches are no faster. */
const CHUNK = 100;

/**
 * Monthly totals of many series, a chunk at a time. Histories extend from a series' first month to `lastMonth`, NaN after the series' own
 * last month (docs/decisions/0002).
 */
export async function* streamMonthlyHistories(
  db: Queryable,
  tenant: WorkspaceTenant,
  { seriesIds, ...months }: HistorySelection,
  chunkSize = CHUNK,
): AsyncGenerator<readonly MonthlyHistory[]> {
  for (let start = 0; start < seriesIds.length; start += chunkSize) {
    yield await readHistories(db, tenant, seriesIds.slice(start, start + chunkSize), months);
  }
}

type SeriesRow = Omit<MonthlyHistory, 'startMonth' | 'values' | 'lastDay'>;

async function readHistories(
  db: Queryable,
  tenant: WorkspaceTenant,
  ids: readonly string[],
  { firstMonth = 0, lastMonth, demandVersion }: Omit<HistorySelection, 'seriesIds'>,
): Promise<readonly MonthlyHistory[]> {
  const series = await db.query<SeriesRow>(
    `SELECT id AS "seriesId", unique_id AS "uniqueId", category, unit, important, ${successorOf('series.id')} AS "replacedBy"
     FROM series WHERE organization_id = $1 AND workspace_id = $2 AND id = ANY ($3::uuid[])`,
    [tenant.organizationId, tenant.workspaceId, ids],
  );
  const sources = await readDemandSources(db, tenant, ids, demandVersion);
  const demand = await readPackedYears(db, tenant, { from: firstMonth, to: lastMonth }, [...sources.keys()]);
  const years = Map.groupBy(demand, ({ seriesId }) => sources.get(seriesId));
  const known = new Map(series.map((row) => [row.seriesId, row]));
  return ids.flatMap((id) => {
    const row = known.get(id);
    if (!row) return [];
    const replacedBy = sources.get(id) === id ? null : row.replacedBy;
    return [toHistory({ ...row, replacedBy }, years.get(id) ?? [], lastMonth)];
  });
}

/** @param years of one series or several, whose demand adds up */
function toHistory(series: SeriesRow, years: readonly PackedYear[], lastMonth: MonthNumber): MonthlyHistory {
  // demand may begin after the cutoff in the same year
  const startMonth = Math.min(...years.map(firstMonthOf), lastMonth + 1);
  const values = new Float64Array(lastMonth - startMonth + 1).fill(NaN);
  for (const demand of years) addMonthlyTotals(values, startMonth, demand);
  return { ...series, startMonth, values, lastDay: lastDayOf(years, lastMonth) };
}

function firstMonthOf({ year, observedMonths }: PackedYear): MonthNumber {
  return 12 * year + lowestBit(observedMonths);
}

/** In a series without other days, the first day is a figure: many systems write a month as its first day, and so does zero filling. */
function lastDayOf(years: readonly PackedYear[], lastMonth: MonthNumber): number | null {
  const month = lastMonth % 12;
  const latest = years.filter(
    ({ year, observedMonths, monthFigures }) =>
      year === Math.floor(lastMonth / 12) && ((observedMonths & ~monthFigures) >> month) % 2 === 1,
  );
  if (latest.length === 0) return null;
  const day = Math.max(...latest.map((year) => lastPackedDay(year, month)));
  return day > 1 || years.some(hasLaterDays) ? day : null;
}

function lowestBit(mask: number): number {
  return Math.log2(mask & -mask);
}
