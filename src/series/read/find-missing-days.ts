import { type MonthNumber } from '../../forecasting/index.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { firstDayOf, formatDayNumber } from '../day-number.js';
import { findSilences, hasNoSilence, MONTHS_JUDGED } from './missing-days.js';
import { dayInProgress, hasDemandBetween, isSynchronizedAfter } from './months.queries.js';
import { MONTHS_BEFORE, RecordedDays } from './recorded-days.js';
import { readSampledDays } from './sampled-days.js';

/** Consecutive days, `YYYY-MM-DD`, on which no series has demand, probably because they were not uploaded. */
export interface MissingDays {
  readonly from: string;
  readonly to: string;
}

/**
 * Days of three months on which the workspace has no demand although it should have, oldest first: they were probably not
 * uploaded ({@link findSilences}). If a connector has been synced since they ended, days without an order are days without demand.
 * @param lastMonth the last of the three months
 */
export async function findMissingDays(
  db: Queryable,
  tenant: WorkspaceTenant,
  lastMonth: MonthNumber,
): Promise<MissingDays[]> {
  const end = Math.min(await dayInProgress(db, tenant), firstDayOf(lastMonth + 2) - 1);
  const recorded = new RecordedDays(lastMonth, end);
  const range = { from: lastMonth + 1 - MONTHS_JUDGED - MONTHS_BEFORE, to: lastMonth + 1 };
  await readSampledDays(db, tenant, range, recorded, () => hasNoSilence(recorded, lastMonth, end));
  const missing: MissingDays[] = [];
  for (const { first, last } of findSilences(recorded, lastMonth)) {
    if (await isSynchronizedAfter(db, tenant, last)) continue;
    if (await hasDemandBetween(db, tenant, first, last)) continue;
    missing.push({ from: formatDayNumber(first), to: formatDayNumber(last) });
  }
  return missing;
}
