import type { Transaction } from '../../platform/database/database.js';
import type { StoredConnector } from '../connector.js';
import type { PlatformFault } from '../platform-fault.js';
import type { Platform } from '../platforms/platform.js';
import type { SourceOrder } from './order.js';
import { deleteSetAside, type SetAside, upsertSetAside } from './orders-set-aside.queries.js';
import { removeOrder, type StoreReport, storeOrders } from './store-orders.js';
import { shownFrom } from './unseen-orders.js';

/** Whether a fault is due to one order: not if the platform is away, asks to wait, or refuses everything. */
export const isDueToOrder = ({ kind, order }: PlatformFault): boolean =>
  order !== undefined && ['passing', 'refused'].includes(kind);

/**
 * Sets aside the order that a fault is due to, so that others can be read.
 * @param tx has locked the connector
 * @returns undefined if the fault is due to none, or too many are set aside
 */
export async function setOrderAside(
  tx: Transaction,
  connector: StoredConnector,
  platform: Platform,
  fault: PlatformFault,
): Promise<SetAside | undefined> {
  const { order: id, code, message } = fault;
  if (id === undefined || !isDueToOrder(fault) || platform.readOrder === undefined) return undefined;
  return upsertSetAside(tx, connector, { id, code, message });
}

/**
 * Stores an order that was set aside and has been read.
 * @param order undefined if the platform does not have it any more
 * @param syncId the sync that has read it
 * @param tx has locked the workspace and the connector
 */
export async function storeSetAside(
  tx: Transaction,
  connector: StoredConnector,
  platform: Platform,
  { id, order, syncId }: { readonly id: string; readonly order: SourceOrder | undefined; readonly syncId: string },
  now: Date,
): Promise<StoreReport> {
  await deleteSetAside(tx, connector, id, syncId);
  if (order) return storeOrders(tx, connector, [order], now);
  const isRemoved = await removeOrder(tx, connector, id, shownFrom(platform, now), now);
  return { changed: new Set(isRemoved ? [id] : []), skipped: 0, leftOut: 0 };
}
