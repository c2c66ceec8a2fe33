import type { Transaction } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import { lockWorkspace } from '../../workspace-locks.queries.js';
import { formatDayNumber } from '../../day-number.js';
import { latestDay } from '../demand-day.js';
import { faultOfText, MAX_UNIQUE_ID_LENGTH } from '../row-attributes.js';
import { RowCollector } from '../row-collector.js';
import { analyzeStaging, matchSeries, mergeDemand, REPLACE_MONTHS } from './merge.queries.js';
import { createStaging, dropStaging, stageBlock } from './staging.js';

/** The complete demand of one series in one month. */
export interface MonthOfDemand {
  readonly uniqueId: string;
  /** `YYYY-MM-DD` with its quantity; at least one, all in the same month, no duplicates. */
  readonly days: readonly (readonly [day: string, quantity: number])[];
}

/** Whether the text is a valid unique_id. */
export function isUniqueId(text: string): boolean {
  return text !== '' && faultOfText(text, MAX_UNIQUE_ID_LENGTH) === undefined;
}

/** The latest day that demand may have, `YYYY-MM-DD`. */
export function latestDemandDay(now: Date): string {
  return formatDayNumber(latestDay(now));
}

/**
 * Replaces whole months of demand of series that exist, for sources that know a month completely. Does not write unchanged months. The
 * caller commits the transaction; the workspace stays locked until then.
 * @throws if an upload with such a row would be rejected; the caller must omit such rows
 */
export async function replaceMonths(
  tx: Transaction,
  tenant: WorkspaceTenant,
  months: readonly MonthOfDemand[],
  now: Date,
): Promise<void> {
  if (months.length === 0) return;
  const rows = new RowCollector(latestDay(now));
  for (const { uniqueId, days } of months) {
    for (const [day, quantity] of days) rows.add(0, uniqueId, day, quantity);
  }
  const [fault] = rows.faults.list();
  if (fault) throw new Error(`demand of a connected source cannot be stored: ${fault.field} ${fault.reason}`);
  await tx.execute('SET LOCAL jit = off');
  await createStaging(tx);
  await stageBlock(tx, 0, rows, { order: rows.block.sorted(), whole: true });
  if (!(await lockWorkspace(tx, tenant))) throw new Error('the workspace is gone');
  await analyzeStaging(tx);
  await matchSeries(tx, tenant, 0);
  await mergeDemand(tx, tenant, 0, REPLACE_MONTHS);
  await dropStaging(tx);
}
