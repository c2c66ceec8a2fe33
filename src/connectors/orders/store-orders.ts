import type { Transaction } from '../../platform/database/database.js';
import { isUniqueId, type NewSeries } from '../../series/index.js';
import type { StoredConnector } from '../connector.js';
import { countChangedMonths } from './count-months.js';
import { dayIn } from './local-day.js';
import { firstText, type SourceLine, type SourceOrder } from './order.js';
import {
  type KnownLine,
  readLines,
  replaceLines,
  type SeriesMonth,
  type StoredOrder,
  upsertOrders,
} from './orders.queries.js';
import { createOrLeaveOut } from './products-left-out.js';
import { deleteUnsold } from './products-left-out.queries.js';

export interface StoreReport {
  /** Ids of the orders that are new or whose counted demand has changed. */
  readonly changed: ReadonlySet<string>;
  /** Lines without a product or with an impossible quantity, in versions that had not been read before. */
  readonly skipped: number;
  /** Products left out for the first time: the plan allows no more series. Their orders are stored and count once it does. */
  readonly leftOut: number;
}

/** Maximum plausible quantity of a line. */
const MAX_QUANTITY = 1e9;
const MAX_NAME_LENGTH = 500;

/**
 * Stores orders. Each replaces its stored version unless that is newer, and every affected month is recomputed from the orders of all
 * connectors of the workspace. Idempotent.
 * @param tx has locked the workspace first of all, so that it sees what other connectors have stored
 */
export async function storeOrders(
  tx: Transaction,
  connector: StoredConnector,
  orders: readonly SourceOrder[],
  now: Date,
): Promise<StoreReport> {
  if (orders.length === 0) return { changed: new Set(), skipped: 0, leftOut: 0 };
  const names = new Map<string, string>();
  const skippedLines: string[] = [];
  const given = latestVersions(orders).map((order): StoredOrder => {
    const day = typeof order.placed === 'string' ? order.placed : dayIn(connector.timeZone, order.placed);
    const lines = (day >= connector.countsFrom ? order.lines : []).flatMap((line) => {
      const uniqueId = uniqueIdOf(line);
      if (uniqueId === undefined || !(Math.abs(line.quantity) <= MAX_QUANTITY)) {
        skippedLines.push(order.id);
        return [];
      }
      const name = firstText(line.name)?.slice(0, MAX_NAME_LENGTH).toWellFormed().replaceAll('\0', '');
      if (name) names.set(uniqueId, name);
      return line.quantity === 0 ? [] : [{ uniqueId, quantity: line.quantity }];
    });
    return { id: order.id, version: order.updatedAt, day, lines };
  });
  const current = await upsertOrders(tx, connector, given);
  const skipped = skippedLines.filter((id) => current.get(id) === true).length;
  const known = Map.groupBy(await readLines(tx, connector, [...current.keys()]), ({ order }) => order);
  const changed = given.filter((order) => current.has(order.id) && !sameLines(order, known.get(order.id) ?? []));
  const report = { changed: new Set(changed.map(({ id }) => id)), skipped, leftOut: 0 };
  if (changed.length === 0) return report;
  await replaceLines(tx, connector, changed);
  const touched = touchedMonths(changed, known);
  // now, since whatever counts the orders later does not know the names of the products
  const leftOut = await createOrLeaveOut(tx, connector, productsOf(touched, names), now);
  await countChangedMonths(tx, connector, touched, now);
  return { ...report, leftOut };
}

/**
 * Stops counting an order that the platform no longer has. Its version stays, so that it counts again if it is shown again.
 * @param tx has locked the workspace
 * @param shownFrom `YYYY-MM-DD`: the platform may hide orders of earlier days, which stay; undefined if it hides none
 * @returns whether it counted until now
 */
export async function removeOrder(
  tx: Transaction,
  connector: StoredConnector,
  id: string,
  shownFrom: string | undefined,
  now: Date,
): Promise<boolean> {
  const known = await readLines(tx, connector, [id]);
  const day = known[0]?.day; // of all its lines
  if (day === undefined || (shownFrom !== undefined && day < shownFrom)) return false;
  const removed = [{ id, day, lines: [] }];
  await replaceLines(tx, connector, removed);
  const touched = touchedMonths(removed, new Map([[id, known]]));
  await deleteUnsold(tx, connector, [...new Set(touched.map(({ uniqueId }) => uniqueId))]);
  await countChangedMonths(tx, connector, touched, now);
  return true;
}

/** The months that the orders counted in before, or count in now. */
function touchedMonths(
  orders: readonly Omit<StoredOrder, 'version'>[],
  known: ReadonlyMap<string, readonly KnownLine[]>,
): SeriesMonth[] {
  const touched = new Map<string, SeriesMonth>();
  const touch = (uniqueId: string, day: string): void => {
    const month = `${day.slice(0, 7)}-01`;
    touched.set(`${month} ${uniqueId}`, { uniqueId, month });
  };
  for (const { id, day, lines } of orders) {
    for (const line of known.get(id) ?? []) touch(line.uniqueId, line.day);
    for (const line of lines) touch(line.uniqueId, day);
  }
  return [...touched.values()];
}

/** The products that the months are of. */
function productsOf(touched: readonly SeriesMonth[], names: ReadonlyMap<string, string>): NewSeries[] {
  const uniqueIds = new Set(touched.map(({ uniqueId }) => uniqueId));
  return [...uniqueIds].map((uniqueId) => ({ uniqueId, productName: names.get(uniqueId) ?? null }));
}

function uniqueIdOf({ sku, productId }: SourceLine): string | undefined {
  const product = firstText(productId);
  const named = firstText(sku) ?? (product === null ? '' : `product:${product}`);
  return isUniqueId(named) ? named : undefined;
}

function latestVersions(orders: readonly SourceOrder[]): SourceOrder[] {
  const latest = new Map<string, SourceOrder>();
  for (const order of orders) {
    const known = latest.get(order.id);
    if (!known || known.updatedAt <= order.updatedAt) latest.set(order.id, order);
  }
  return [...latest.values()];
}

function sameLines({ day, lines }: StoredOrder, known: readonly KnownLine[]): boolean {
  return (
    lines.length === known.length &&
    lines.every((line, at) => {
      const other = known[at]!;
      return line.uniqueId === other.uniqueId && line.quantity === other.quantity && day === other.day;
    })
  );
}
