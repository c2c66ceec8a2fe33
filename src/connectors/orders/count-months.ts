import { inBatches } from '../../platform/batches.js';
import type { Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { latestDemandDay, type MonthOfDemand, replaceMonths } from '../../series/index.js';
import type { ConnectorTenant, StoredConnector } from '../connector.js';
import { countDays, type CountedDay, listDatedAhead, type SeriesMonth } from './orders.queries.js';

/** Months counted per batch. */
const MONTHS_AT_ONCE = 1_000;

/**
 * Recomputes months from the orders of all connectors of the workspace, except for months that have not begun.
 * @param tx has locked the workspace
 */
export async function countMonths(
  tx: Transaction,
  tenant: WorkspaceTenant,
  months: readonly SeriesMonth[],
  now: Date,
): Promise<void> {
  const latest = latestDemandDay(now);
  const begun = months.filter(({ month }) => month <= latest);
  for (const some of inBatches(begun, MONTHS_AT_ONCE)) {
    const days = await countDays(tx, tenant, some);
    const byMonth = Map.groupBy(days, ({ uniqueId, month }) => `${month} ${uniqueId}`);
    await replaceMonths(tx, tenant, [...byMonth.values()].map(monthOf), now);
  }
}

/**
 * Recomputes months that orders of the connector have changed. While the retained demand of a former connector counts in their place, the
 * months are only counted when that is replaced.
 * @param tx has locked the workspace
 */
export async function countChangedMonths(
  tx: Transaction,
  connector: StoredConnector,
  months: readonly SeriesMonth[],
  now: Date,
): Promise<void> {
  if (!connector.countsRetired) await countMonths(tx, connector, months, now);
}

/**
 * Counts the orders that were dated ahead when they were read, in the months that have begun since. The other orders of such a month were
 * counted when they arrived.
 * @param countedTo the latest day that counted when this was last done, `YYYY-MM-DD`
 * @param tx has locked the workspace
 */
export async function countStartedMonths(
  tx: Transaction,
  connector: ConnectorTenant,
  countedTo: string,
  now: Date,
): Promise<void> {
  const latest = latestDemandDay(now);
  if (countedTo >= latest) return;
  await countMonths(tx, connector, await listDatedAhead(tx, connector, countedTo, latest), now);
}

function monthOf(rows: readonly CountedDay[]): MonthOfDemand {
  const [{ uniqueId, month }] = rows as [CountedDay];
  return { uniqueId, days: rows.map(({ day, quantity }) => [day ?? month, quantity ?? 0] as const) };
}
