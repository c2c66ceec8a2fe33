import { poolShareCurves, type PooledShareCurve, type ShareCurve, shareCurve } from '../../forecasting/index.js';
import { inBatches } from '../../platform/batches.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { type DailyDemand, readCountedDays, sampleSeries } from '../../series/index.js';

/** Complete months to learn from: two years, so that annual patterns are seen twice. */
const MONTHS = 24;
/** Number of series to learn the workspace's curve from; more would hardly change it. */
const POOL_SERIES = 200;

/** The version of demand of which nothing is replaced yet. */
const AS_UPLOADED = 0;

/** Number of series read and computed before yielding to the event loop. */
const AT_A_TIME = 20;

/**
 * How demand accumulates within a month, by series, from the daily demand of the two years before `month`, with that of the series they
 * have replaced. Series without daily demand are absent: a monthly figure is stored on the first day and says nothing about the days.
 * @param version of the workspace's demand, as for `readDemandSources`
 */
export async function readShareCurves(
  db: Queryable,
  tenant: WorkspaceTenant,
  { month, version }: { readonly month: number; readonly version: number },
  seriesIds: readonly string[],
): Promise<Map<string, ShareCurve>> {
  const curves = new Map<string, ShareCurve>();
  const range = { from: month - MONTHS, to: month - 1, version };
  for (const ids of inBatches(seriesIds, AT_A_TIME)) {
    for (const [seriesId, months] of await readCountedDays(db, tenant, range, ids, hasLaterDays)) {
      curves.set(seriesId, shareCurve(months.map(({ month: past, values: days }) => ({ month: past, days }))));
    }
  }
  return curves;
}

function hasLaterDays({ values }: DailyDemand): boolean {
  return values.subarray(1).some((value) => value !== 0 && Number.isFinite(value));
}

/** The curve of the whole workspace, from a sample of its series as they were uploaded; undefined if it has no daily demand. */
export async function readPooledCurve(
  db: Queryable,
  tenant: WorkspaceTenant,
  month: number,
): Promise<PooledShareCurve | undefined> {
  const sample = await sampleSeries(db, tenant, POOL_SERIES);
  return poolShareCurves((await readShareCurves(db, tenant, { month, version: AS_UPLOADED }, sample)).values());
}
