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
 * Series counted per batch. With orders on every day of three years they have 50,000 days, which take a fraction of the time that a
 * transaction may be idle.
 */
const SERIES_AT_ONCE = 50;

/**
 * Prepares to read everything again from an account whose retained demand still counts: what the connector has counted is added to it, and
 * both count until the reading is complete. Otherwise the reading might bring orders for days of that demand, if the platform now shows
 * older ones, and they would be counted twice.
 * @param tx has locked the workspace
 */
export async function retireForFullSync(tx: Transaction, connector: ConnectorTenant): Promise<void> {
  if (!(await hasRetired(tx, connector))) return;
  await retireDemand(tx, connector);
  await keepRetired(tx, connector);
}

/**
 * Once the orders of a reconnected account have been read to the end, lets them count in place of what a former connector had counted. All
 * in one transaction: in between, a renamed product would count twice or not at all.
 * @param tx has locked the workspace
 */
export async function replaceRetired(tx: Transaction, connector: StoredConnector, now: Date): Promise<void> {
  if (!connector.countsRetired) return;
  const replaced = await endRetired(tx, connector);
  for (const series of inBatches(await listSeriesToCount(tx, connector, replaced), SERIES_AT_ONCE)) {
    await countMonths(tx, connector, await takeMonthsToCount(tx, connector, replaced, series), now);
  }
}
