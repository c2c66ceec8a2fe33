import { type MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { endsEarly, lacksEnd } from './incomplete-month.js';
import { isSynchronizedAfter, latestObservedMonth, monthInProgress, newestRecordedDay } from './months.queries.js';
import { firstDayOf } from '../day-number.js';
import { MONTHS_BEFORE, RecordedDays } from './recorded-days.js';
import { readSampledDays } from './sampled-days.js';

/** Where a workspace's histories end. */
export interface HistoryEnd {
  readonly lastMonth: MonthNumber;
  /** The month after it, if that is over and has demand but is excluded because it lacks its last days; null otherwise. */
  readonly incompleteMonth: MonthNumber | null;
}

/**
 * The workspace's last complete month with demand, where its histories end. Without a cutoff this is neither the month in progress (in the
 * workspace's time zone) nor a month whose last days are still to be uploaded ({@link lacksEnd}). Call it once for all series that are
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
  if (newest === null || !endsEarly(month, newest)) return false;
  if (await isSynchronizedAfter(db, tenant, firstDayOf(month + 1) - 1)) return false;
  const recorded = new RecordedDays(month, newest);
  await readSampledDays(db, tenant, { from: month - MONTHS_BEFORE, to: month }, recorded);
  return lacksEnd(recorded, month, newest);
}
