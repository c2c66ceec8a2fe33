import type { Transaction } from '../../platform/database/database.js';
import { DAY_MS, earlier } from '../../platform/durations.js';
import { dayOf } from '../../platform/utc-calendar.js';
import type { StoredConnector } from '../connector.js';
import type { Platform } from '../platforms/platform.js';
import { countChangedMonths } from './count-months.js';
import { deleteUnsold } from './products-left-out.queries.js';
import { deleteUnseenLines } from './unseen-orders.queries.js';

/**
 * At the end of a full reading, stops counting orders that did not appear in it, such as those deleted without a notification. Orders
 * before the first one that appeared stay, since a platform may show only the last weeks, and so do orders that are set aside. Versions stay
 * too, so that an order that is shown again counts again.
 * @param tx has locked the workspace
 * @returns the number of orders that counted until now
 */
export async function discountUnseenOrders(
  tx: Transaction,
  connector: StoredConnector,
  platform: Platform,
  now: Date,
): Promise<number> {
  const { orders, months } = await deleteUnseenLines(tx, connector, shownFrom(platform, now) ?? connector.countsFrom);
  await deleteUnsold(
    tx,
    connector,
    months.map(({ uniqueId }) => uniqueId),
  );
  await countChangedMonths(tx, connector, months, now);
  return orders;
}

/** The day `YYYY-MM-DD` from which a platform is guaranteed to show orders; undefined if it hides none because of their age. */
export function shownFrom({ shownFor }: Platform, now: Date): string | undefined {
  return shownFor && dayOf(earlier(now, shownFor.days * DAY_MS));
}
