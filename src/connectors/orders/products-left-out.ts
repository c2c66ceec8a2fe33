import type { Transaction } from '../../platform/database/database.js';
import { createSeries } from '../../series/index.js';
import type { StoredConnector } from '../connector.js';
import { countMonths } from './count-months.js';
import { listLeftOut, takeLeftOut } from './products-left-out.queries.js';

/** Products per transaction: uploads to the workspace wait for each. */
const PRODUCTS_AT_ONCE = 50;

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
  // otherwise they are counted when the retained demand is replaced
  if (!connector.countsRetired) await countMonths(tx, connector, months, now);
  return admitted.length === PRODUCTS_AT_ONCE;
}
