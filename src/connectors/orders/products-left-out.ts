import type { Transaction } from '../../platform/database/database.js';
import { createSeries, type NewSeries } from '../../series/index.js';
import type { ConnectorTenant, StoredConnector } from '../connector.js';
import { countChangedMonths } from './count-months.js';
import { deleteUnsold, findLeftOut, insertLeftOut, listLeftOut, takeLeftOut } from './products-left-out.queries.js';

/** Products per transaction: uploads to the workspace wait for each. */
const PRODUCTS_AT_ONCE = 50;

/**
 * Creates series for products whose orders have changed, as far as the plan has room, and leaves out the others. One that was left out
 * before remains so, though there may be room by now, until {@link admitLeftOut} counts all its orders at once, or none is left.
 * @param tx has locked the workspace, and stored the orders
 * @returns how many of the products had not been left out before
 */
export async function createOrLeaveOut(
  tx: Transaction,
  connector: ConnectorTenant,
  products: readonly NewSeries[],
  now: Date,
): Promise<number> {
  const uniqueIds = products.map(({ uniqueId }) => uniqueId);
  const before = await findLeftOut(tx, connector, uniqueIds);
  const others = products.filter(({ uniqueId }) => !before.has(uniqueId));
  const leftOut = await insertLeftOut(tx, connector, await createSeries(tx, connector, others, now));
  await deleteUnsold(tx, connector, [...before]);
  return leftOut;
}

/**
 * Creates series for some of the products that were left out, as far as the plan has room by now, and counts the orders that are stored for
 * them. A product whose series somebody has created meanwhile needs no room.
 * @param tx has locked the workspace
 * @returns whether there may be more that have room
 */
export async function admitLeftOut(tx: Transaction, connector: StoredConnector, now: Date): Promise<boolean> {
  const products = await listLeftOut(tx, connector, PRODUCTS_AT_ONCE);
  const refused = new Set(await createSeries(tx, connector, products, now));
  const admitted = products.filter((product) => !refused.has(product)).map(({ uniqueId }) => uniqueId);
  const months = await takeLeftOut(tx, connector, admitted);
  await countChangedMonths(tx, connector, months, now);
  return admitted.length === PRODUCTS_AT_ONCE;
}
