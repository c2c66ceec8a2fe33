import type { Transaction } from '../../platform/database/database.js';
import type { ConnectorTenant } from '../connector.js';
import {
  endRetired,
  hasRetired,
  keepRetired,
  listSeriesToCount,
  retireDemand,
  takeMonthsToCount,
} from './retired-demand.queries.js';
import { type Counting, NO_NAMES, recount } from './store-orders.js';

/**
 * Series that are counted at a time. With orders on every day of three years they have 50,000 days, which take a fraction of the time
 * that a transaction may be idle.
 */
const SERIES_AT_ONCE = 50;

/**
 * Before everything is read again of an account of which kept demand still counts: what the connector has counted joins it, and both
 * count until the reading has come to its end. It may bring orders of the days of that demand, as when the platform shows older ones
 * by now, and they would count beside it.
 * @param tx has locked the workspace
 */
export async function retireBesideRetired(tx: Transaction, connector: ConnectorTenant): Promise<void> {
  if (!(await hasRetired(tx, connector))) return;
  await retireDemand(tx, connector);
  await keepRetired(tx, connector);
}

/**
 * Once the orders of an account that was connected again have been read to the end, they count in the place of what a former connector
 * had counted. All of it in one transaction: in between, a product that was renamed would count twice or not at all.
 * @param tx has locked the workspace
 */
export async function replaceRetired(tx: Transaction, counting: Counting, now: Date): Promise<void> {
  if (!counting.countsRetired) return;
  const replaced = await endRetired(tx, counting);
  const series = await listSeriesToCount(tx, counting, replaced);
  for (let from = 0; from < series.length; from += SERIES_AT_ONCE) {
    const months = await takeMonthsToCount(tx, counting, replaced, series.slice(from, from + SERIES_AT_ONCE));
    await recount(tx, counting, months, NO_NAMES, now);
  }
}
