import { type MonthNumber } from '../../forecasting/index.js';
import { inBatches } from '../../platform/batches.js';
import type { Queryable } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { readDailyDemand } from './daily-demand.js';
import type { RecordedDays } from './recorded-days.js';
import { sampleSeries } from './series-selection.queries.js';

/** Series sampled for the workspace's silences: with more of them, none would be longer. */
const SAMPLE = 300;
/** Series processed before yielding to the event loop. */
const AT_A_TIME = 25;

/**
 * Adds the days of a sample of the workspace's series, in the months `from` to `to`.
 * @param isEnough tells after some of them that no further ones are needed
 */
export async function readSampledDays(
  db: Queryable,
  tenant: WorkspaceTenant,
  range: { readonly from: MonthNumber; readonly to: MonthNumber },
  recorded: RecordedDays,
  isEnough: () => boolean = () => false,
): Promise<void> {
  for (const ids of inBatches(await sampleSeries(db, tenant, SAMPLE), AT_A_TIME)) {
    const daily = await readDailyDemand(db, tenant, range, ids);
    for (const demand of Map.groupBy(daily, ({ seriesId }) => seriesId).values()) recorded.addSeries(demand);
    if (isEnough()) return;
  }
}
