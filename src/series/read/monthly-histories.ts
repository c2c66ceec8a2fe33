import { type MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { inBatches } from '../../platform/batches.js';
import { readDemandSources, successorAsOf } from '../successions.queries.js';
import { MonthlyDemand, type MonthlyTotals } from './monthly-demand.js';
import { readPackedYears } from './packed-years.queries.js';

/**
 * The monthly demand of one series, complete months only, with that of the series it has replaced. All histories of a workspace end with
 * the same month. Empty without demand, and if the demand counts for another series.
 */
export interface MonthlyHistory extends MonthlyTotals {
  readonly seriesId: string;
  readonly uniqueId: string;
  readonly category: string | null;
  readonly unit: string | null;
  readonly important: boolean;
  /** The unique_id of the series that has replaced this one, for which its demand counts; null if none has. */
  readonly replacedBy: string | null;
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
    yield await readHistories(db, tenant, seriesIds.slice(start, start + chunkSize), months, chunkSize);
  }
}

type SeriesRow = Omit<MonthlyHistory, keyof MonthlyTotals>;

async function readHistories(
  db: Queryable,
  tenant: WorkspaceTenant,
  ids: readonly string[],
  { firstMonth = 0, lastMonth, demandVersion }: Omit<HistorySelection, 'seriesIds'>,
  chunkSize: number,
): Promise<readonly MonthlyHistory[]> {
  const series = await db.query<SeriesRow>(
    `SELECT id AS "seriesId", unique_id AS "uniqueId", category, unit, important,
            ${successorAsOf('series.id', '$4::int')} AS "replacedBy"
     FROM series WHERE organization_id = $1 AND workspace_id = $2 AND id = ANY ($3::uuid[])`,
    [tenant.organizationId, tenant.workspaceId, ids, demandVersion ?? null],
  );
  const sources = await readDemandSources(db, tenant, ids, demandVersion);
  const demand = new Map(ids.map((id) => [id, new MonthlyDemand(lastMonth)]));
  // a series may have replaced thousands
  for (const batch of inBatches([...sources.keys()], chunkSize)) {
    const years = await readPackedYears(db, tenant, { from: firstMonth, to: lastMonth }, batch);
    for (const year of years) demand.get(sources.get(year.seriesId)!)!.add(year);
  }
  const known = new Map(series.map((row) => [row.seriesId, row]));
  return ids.flatMap((id) => {
    const row = known.get(id);
    return row ? [{ ...row, ...demand.get(id)!.history() }] : [];
  });
}
