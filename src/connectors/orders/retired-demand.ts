import type { Transaction } from '../../platform/database/database.js';
import { endRetired, listSeriesToCount, takeMonthsToCount } from './retired-demand.queries.js';
import { type Counting, NO_NAMES, recount } from './store-orders.js';

/**
 * Series that are counted at a time. With orders on every day of three years they have 50,000 days, which take a fraction of the time
 * that a transaction may be idle.
 */
const SERIES_AT_ONCE = 50;

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
