import type { Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { lockWorkspace } from '../workspace-locks.queries.js';
import { formatDay, latestDay } from './demand-day.js';
import { analyzeStaging, insertNewSeries, matchSeries, mergeDemand, REPLACE_MONTHS } from './merge.queries.js';
import { faultOfText } from './row-attributes.js';
import { LONGEST_UNIQUE_ID, RowCollector } from './row-collector.js';
import { createStaging, stageBlock } from './staging.js';

/** One month of one series, whole. */
export interface MonthOfDemand {
  readonly uniqueId: string;
  /** What the series is called where it is new; one that exists keeps the name it has. */
  readonly productName: string | null;
  /** `YYYY-MM-DD` with its quantity; at least one, all of the same month, none twice. */
  readonly days: readonly (readonly [day: string, quantity: number])[];
}

/** Whether text can name a series. */
export function isUniqueId(text: string): boolean {
  return text !== '' && faultOfText(text, LONGEST_UNIQUE_ID) === undefined;
}

/** The last day that demand may be dated, `YYYY-MM-DD`. */
export function latestDemandDay(now: Date): string {
  return formatDay(latestDay(now));
}

/**
 * Stores months of demand in the place of whatever is stored for them, creating the series that are new and writing none that
 * stay as they are: for sources that know a month whole. One call a transaction, which the caller commits; the workspace stays
 * locked until then.
 * @throws on a row that an upload would be refused for, which the caller has to leave out
 */
export async function replaceMonths(
  tx: Transaction,
  tenant: WorkspaceTenant,
  months: readonly MonthOfDemand[],
  now: Date,
): Promise<void> {
  if (months.length === 0) return;
  const rows = new RowCollector(latestDay(now));
  for (const { uniqueId, productName, days } of months) {
    for (const [day, quantity] of days) {
      const series = rows.add(0, uniqueId, day, quantity);
      if (series >= 0 && productName !== null) rows.series.describe(series, 0, { productName });
    }
  }
  const [fault] = rows.faults.list();
  if (fault) throw new Error(`demand of a connected source cannot be stored: ${fault.field} ${fault.reason}`);
  await tx.execute('SET LOCAL jit = off');
  await createStaging(tx);
  await stageBlock(tx, 0, rows, { order: rows.block.sorted(), whole: true });
  if (!(await lockWorkspace(tx, tenant))) throw new Error('the workspace is gone');
  await analyzeStaging(tx);
  await matchSeries(tx, tenant, 0);
  await insertNewSeries(tx, tenant, 0, now);
  await mergeDemand(tx, tenant, 0, REPLACE_MONTHS);
}
