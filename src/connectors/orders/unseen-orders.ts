import type { Transaction } from '../../platform/database/database.js';
import { DAY_MS, earlier } from '../../platform/durations.js';
import type { StoredConnector } from '../connector.js';
import type { Platform } from '../platforms/platform.js';
import { countMonths } from './count-months.js';
import { deleteUnseenLines } from './unseen-orders.queries.js';

/**
 * At the end of a reading of everything, takes off the orders that did not come again, as when they were deleted without a notice. Those
 * from before the first order that came stay, since a platform may show only the last weeks. Their versions stay too, so that an order
 * that is shown again counts again.
 * @param tx has locked the workspace
 * @returns how many orders that counted were taken off
 */
export async function takeOffUnseen(
  tx: Transaction,
  connector: StoredConnector,
  { shownFor }: Platform,
  now: Date,
): Promise<number> {
  const shownFrom =
    shownFor &&
    earlier(now, shownFor.days * DAY_MS)
      .toISOString()
      .slice(0, 10);
  const { orders, months } = await deleteUnseenLines(tx, connector, shownFrom ?? connector.countsFrom);
  // else the months are counted when what was kept is replaced
  if (!connector.countsRetired) await countMonths(tx, connector, months, now);
  return orders;
}
