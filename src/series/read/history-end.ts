import { type MonthNumber } from '../../forecasting/index.js';
import { inBatches } from '../../platform/batches.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { readDailyDemand } from './daily-demand.js';
import { endsEarly, MONTHS_BEFORE, RecordedDays } from './incomplete-month.js';
import { isSynchronizedSince, latestObservedMonth, monthInProgress, newestRecordedDay } from './months.queries.js';
import { sampleSeries } from './series-selection.queries.js';

/** Series sampled for the workspace's silences: with more of them, none would be longer. */
const SAMPLE = 300;
/** Series processed before yielding to the event loop. */
const AT_A_TIME = 25;

/** Where a workspace's histories end. */
export interface HistoryEnd {
  readonly lastMonth: MonthNumber;
  /** The month after it, if that is over and has demand but is excluded because it lacks its last days; null otherwise. */
  readonly incompleteMonth: MonthNumber | null;
}

/**
 * The workspace's last complete month with demand, where its histories end. Without a cutoff this is neither the month in progress (in the
 * workspace's time zone) nor a month whose last days are still to be uploaded ({@link RecordedDays}). Call it once for all series that are
 * read together, since it scans the workspace's demand.
 * @param cutoffMonth upper bound for the month; assumed to be complete
 */
export async function findHistoryEnd(
  db: Queryable,
  tenant: WorkspaceTenant,
  cutoffMonth?: MonthNumber,
): Promise<HistoryEnd> {
  const before = Math.min(await monthInProgress(db, tenant), (cutoffMonth ?? Infinity) + 1);
  const newest = await latestObservedMonth(db, tenant, before);
  if (newest === undefined) return { lastMonth: before - 1, incompleteMonth: null };
  if (cutoffMonth !== undefined || !(await lacksItsEnd(db, tenant, newest)))
    return { lastMonth: newest, incompleteMonth: null };
  const lastMonth = (await latestObservedMonth(db, tenant, newest)) ?? newest - 1;
  return { lastMonth, incompleteMonth: newest };
}

/**
 * Whether days of the month are still to be uploaded. If a connector has been synced since the month ended, days without an order are days
 * without demand.
 * @param month the newest complete month with demand
 */
async function lacksItsEnd(db: Queryable, tenant: WorkspaceTenant, month: MonthNumber): Promise<boolean> {
  const newest = await newestRecordedDay(db, tenant, month);
  if (newest === null || !endsEarly(month, newest) || (await isSynchronizedSince(db, tenant, month))) return false;
  const recorded = new RecordedDays(month, newest);
  const range = { from: month - MONTHS_BEFORE, to: month };
  for (const ids of inBatches(await sampleSeries(db, tenant, SAMPLE), AT_A_TIME)) {
    const daily = await readDailyDemand(db, tenant, range, ids);
    for (const demand of Map.groupBy(daily, ({ seriesId }) => seriesId).values()) recorded.addSeries(demand);
  }
  return recorded.lacksEnd();
}
