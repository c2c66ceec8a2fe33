import { inBatches } from '../../platform/batches.js';
import type { Transaction } from '../../platform/database/database.js';
import type { ConnectorTenant, StoredConnector } from '../connector.js';
import { countMonths } from './count-months.js';
import {
  endRetired,
  hasRetired,
  keepRetired,
  listSeriesToCount,
  retireDemand,
  takeMonthsToCount,
} from './retired-demand.queries.js';

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
export async function replaceRetired(tx: Transaction, connector: StoredConnector, now: Date): Promise<void> {
  if (!connector.countsRetired) return;
  const replaced = await endRetired(tx, connector);
  for (const series of inBatches(await listSeriesToCount(tx, connector, replaced), SERIES_AT_ONCE)) {
    await countMonths(tx, connector, await takeMonthsToCount(tx, connector, replaced, series), now);
  }
}
