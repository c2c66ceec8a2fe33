import type { Transaction } from '../../platform/database/database.js';
import type { StoredConnector } from '../connector.js';
import { dayIn } from './local-day.js';
import { listOthers, storeQuietMonths } from './quiet-months.queries.js';

/**
 * Stores zero for complete months in which a series of the connector had no order: for a connected shop, no orders means no sales rather
 * than missing data. If another connector sells the series too, a month is only filled once that one has been read beyond it.
 * @param tx has locked the workspace
 */
export async function fillQuietMonths(tx: Transaction, connector: StoredConnector, now: Date): Promise<void> {
  const lastMonth = lastCompleteMonth(connector.timeZone, now);
  const others = await listOthers(tx, connector);
  const readUpTo = others.map(({ connectorId, timeZone, lastSyncedAt }) => ({
    connectorId,
    month: lastSyncedAt ? lastCompleteMonth(timeZone, lastSyncedAt) : 0,
  }));
  const behind = readUpTo.filter(({ month }) => month < lastMonth);
  await storeQuietMonths(tx, connector, lastMonth, behind);
}

/** The month before that of the instant, as 12 * year + month - 1. */
function lastCompleteMonth(timeZone: string, instant: Date): number {
  const day = dayIn(timeZone, instant);
  return 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 2;
}
