import { poolShareCurves, type PooledShareCurve, type ShareCurve, shareCurve } from '../../forecasting/index.js';
import { inBatches } from '../../platform/batches.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { readDailyDemand, sampleSeries } from '../../series/index.js';

/** Complete months to learn from: two years, so that annual patterns are seen twice. */
const MONTHS = 24;
/** Number of series to learn the workspace's curve from; more would hardly change it. */
const POOL_SERIES = 200;

/** Number of series read and computed before yielding to the event loop. */
const AT_A_TIME = 20;

/**
 * How demand accumulates within a month, by series, from the daily demand of the two years before `month`. Series without daily
 * demand are absent: a monthly figure is stored on the first day and says nothing about the days.
 */
export async function readShareCurves(
  db: Queryable,
  tenant: WorkspaceTenant,
  month: number,
  seriesIds: readonly string[],
): Promise<Map<string, ShareCurve>> {
  const curves = new Map<string, ShareCurve>();
  const range = { from: month - MONTHS, to: month - 1 };
  for (const ids of inBatches(seriesIds, AT_A_TIME)) {
    const daily = (await readDailyDemand(db, tenant, range, ids)).filter(({ values }) =>
      values.subarray(1).some((value) => value !== 0 && Number.isFinite(value)),
    );
    for (const [seriesId, months] of Map.groupBy(daily, ({ seriesId: id }) => id)) {
      curves.set(seriesId, shareCurve(months.map(({ month: past, values: days }) => ({ month: past, days }))));
    }
  }
  return curves;
}

/** The curve of the whole workspace; undefined if it has no daily demand. */
export async function readPooledCurve(
  db: Queryable,
  tenant: WorkspaceTenant,
  month: number,
): Promise<PooledShareCurve | undefined> {
  const sample = await sampleSeries(db, tenant, POOL_SERIES);
  return poolShareCurves((await readShareCurves(db, tenant, month, sample)).values());
}
