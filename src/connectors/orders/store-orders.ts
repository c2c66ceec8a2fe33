import { inBatches } from '../../platform/batches.js';
import type { Transaction } from '../../platform/database/database.js';
import type { WorkspaceTenant } from '../../platform/database/scope.js';
import { createSeries, isUniqueId, latestDemandDay, type MonthOfDemand, replaceMonths } from '../../series/index.js';
import type { ConnectorTenant } from '../connector.js';
import { dayIn } from './local-day.js';
import { firstText, type SourceLine, type SourceOrder } from './order.js';
import {
  countDays,
  type CountedDay,
  type KnownLine,
  listDatedAhead,
  readLines,
  replaceLines,
  type SeriesMonth,
  type StoredOrder,
  upsertOrders,
} from './orders.queries.js';
import { listOthers, storeQuietMonths } from './quiet-months.queries.js';

/** The settings by which orders of a connector are counted. */
export interface Counting extends ConnectorTenant {
  readonly timeZone: string;
  /** `YYYY-MM-DD`; orders of earlier days are not counted. */
  readonly countsFrom: string;
  /** Whether the orders are only kept, since what a former connector had counted still counts in their place. */
  readonly countsRetired: boolean;
  /** The present reading: how many times members had everything read again. */
  readonly reading: number;
}

export interface StoreReport {
  /** Orders that were new or now count otherwise. */
  readonly changed: number;
  /** Lines without a product or with an impossible quantity, in versions that were not read before. */
  readonly skipped: number;
}

/** Largest quantity of a line that is believed. */
const LARGEST_QUANTITY = 1e9;
const LONGEST_NAME = 500;

/**
 * Stores orders. Each replaces its stored version unless that is newer, and every month that is affected is computed anew from the
 * orders of all connectors of the workspace. Repeating it changes nothing.
 * @param tx has locked the workspace first of all, so that it sees what other connectors have stored
 */
export async function storeOrders(
  tx: Transaction,
  counting: Counting,
  orders: readonly SourceOrder[],
  now: Date,
): Promise<StoreReport> {
  if (orders.length === 0) return { changed: 0, skipped: 0 };
  const names = new Map<string, string>();
  const skippedLines: string[] = [];
  const given = latestVersions(orders).map((order): StoredOrder => {
    const day = typeof order.placed === 'string' ? order.placed : dayIn(counting.timeZone, order.placed);
    const lines = (day >= counting.countsFrom ? order.lines : []).flatMap((line) => {
      const uniqueId = uniqueIdOf(line);
      if (uniqueId === undefined || !(Math.abs(line.quantity) <= LARGEST_QUANTITY)) {
        skippedLines.push(order.id);
        return [];
      }
      const name = firstText(line.name)?.slice(0, LONGEST_NAME).toWellFormed().replaceAll('\0', '');
      if (name) names.set(uniqueId, name);
      return line.quantity === 0 ? [] : [{ uniqueId, quantity: line.quantity }];
    });
    return { id: order.id, version: order.updatedAt, day, lines };
  });
  const current = await upsertOrders(tx, counting, given);
  const skipped = skippedLines.filter((id) => current.get(id) === true).length;
  const known = byOrder(await readLines(tx, counting, [...current.keys()]));
  const changed = given.filter((order) => current.has(order.id) && !sameLines(order, known.get(order.id) ?? []));
  if (changed.length === 0) return { changed: 0, skipped };
  await replaceLines(tx, counting, changed);
  const touched = touchedMonths(changed, known);
  if (counting.countsRetired) await nameSeries(tx, counting, touched, names, now);
  else {
    const ahead = touched.filter((month) => !hasBegun(month, now) && names.has(month.uniqueId));
    await nameSeries(tx, counting, ahead, names, now);
    await recount(tx, counting, touched, names, now);
  }
  return { changed: changed.length, skipped };
}

/**
 * Stores zero for complete months in which a series of the connector had no order: for a connected shop, no orders means no sales, not
 * missing data. Where another connector sells the series too, a month is only filled once that one was read beyond it.
 * @param tx has locked the workspace
 */
export async function fillQuietMonths(tx: Transaction, counting: Counting, now: Date): Promise<void> {
  const lastMonth = lastCompleteMonth(counting.timeZone, now);
  const others = await listOthers(tx, counting);
  const readUpTo = others.map(({ connectorId, timeZone, lastSyncedAt }) => ({
    connectorId,
    month: lastSyncedAt ? lastCompleteMonth(timeZone, lastSyncedAt) : 0,
  }));
  const behind = readUpTo.filter(({ month }) => month < lastMonth);
  await storeQuietMonths(tx, counting, lastMonth, behind);
}

/** The month before that of the instant, as 12 * year + month - 1. */
function lastCompleteMonth(timeZone: string, instant: Date): number {
  const day = dayIn(timeZone, instant);
  return 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 2;
}

/** Months that are counted at a time, of many. */
export const MONTHS_AT_ONCE = 1_000;
/** The series were created when their orders were read. */
export const NO_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * Counts the orders that were dated ahead when they were read, in the months that have begun since. Of the other orders of such a month
 * each was counted as it came.
 * @param countedTo the latest day that counted when this was last done, `YYYY-MM-DD`
 * @param tx has locked the workspace
 */
export async function countBegunMonths(
  tx: Transaction,
  counting: Counting,
  countedTo: string,
  now: Date,
): Promise<void> {
  const latest = latestDemandDay(now);
  if (countedTo >= latest) return;
  const months = await listDatedAhead(tx, counting, countedTo, latest);
  for (const some of inBatches(months, MONTHS_AT_ONCE)) await recount(tx, counting, some, NO_NAMES, now);
}

/**
 * Computes months anew from the orders of all connectors of the workspace, except for those that have not begun.
 * @param names of products, for series that are new
 */
export async function recount(
  tx: Transaction,
  tenant: WorkspaceTenant,
  touched: readonly SeriesMonth[],
  names: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  const begun = touched.filter((month) => hasBegun(month, now));
  const counted = await countDays(tx, tenant, begun);
  const months = [...Map.groupBy(counted, (row) => `${row.month} ${row.uniqueId}`).values()];
  await replaceMonths(
    tx,
    tenant,
    months.map((rows) => monthOf(rows, names)),
    now,
  );
}

const hasBegun = ({ month }: SeriesMonth, now: Date): boolean => month <= latestDemandDay(now);

/** Creates the series of orders that are not counted yet: when they are, nobody knows the names of the products any more. */
async function nameSeries(
  tx: Transaction,
  tenant: WorkspaceTenant,
  touched: readonly SeriesMonth[],
  names: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  const uniqueIds = new Set(touched.map(({ uniqueId }) => uniqueId));
  const series = [...uniqueIds].map((uniqueId) => ({ uniqueId, productName: names.get(uniqueId) ?? null }));
  await createSeries(tx, tenant, series, now);
}

function monthOf(rows: readonly CountedDay[], names: ReadonlyMap<string, string>): MonthOfDemand {
  const [{ uniqueId, month }] = rows as [CountedDay];
  const days = rows.map(({ day, quantity }) => [day ?? month, quantity ?? 0] as const);
  return { uniqueId, productName: names.get(uniqueId) ?? null, days };
}

/** The months that the orders counted in before or count in now. */
function touchedMonths(
  orders: readonly StoredOrder[],
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

function byOrder(lines: readonly KnownLine[]): Map<string, KnownLine[]> {
  return Map.groupBy(lines, (line) => line.order);
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
