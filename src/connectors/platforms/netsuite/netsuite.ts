import { earlier, HOUR_MS } from '../../../platform/durations.js';
import type { SourceOrder } from '../../orders/order.js';
import type { FieldValues } from '../../credentials/field.js';
import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { listed, listPattern } from '../list-field.js';
import { bearer } from '../oauth.js';
import { type IdSweep, sweepOf } from '../id-sweep.js';
import { A_YEAR_AHEAD, type Platform, type PulledPage, type PullStep } from '../platform.js';
import { tokenByCertificate } from './netsuite-token.js';
import { idOf, readAll, readRecords } from '../records.js';

/** Transactions per page: their lines stay far below the 100,000 rows that a query may return. */
const PAGE = 200;
const ROWS = 1_000;
/** Modification times are in the account's local time, which is set back an hour once a year. */
const CLOCK_MS = HOUR_MS;

/** The last transaction of the previous page, in order of change. */
interface Position extends IdSweep {
  readonly after: string;
  readonly id: number;
}

interface Transaction {
  readonly id: string | number;
  readonly trandate: string;
  readonly changed: string;
  readonly voided: string;
}

interface Line {
  readonly transaction: string | number;
  readonly item: string | number;
  readonly sku: string | null;
  readonly name: string | null;
  /** In the base unit of the item's units type, whatever unit was entered. */
  readonly quantity: string | number | null;
}

/** NetSuite through SuiteQL: docs.oracle.com, SuiteTalk REST Web Services. */
export const netsuite: Platform = {
  name: 'netsuite',
  fields: [
    {
      name: 'account_id',
      kind: 'text',
      required: true,
      identifies: true,
      pattern: {
        matches: /^[a-z0-9][a-z0-9_-]{0,40}$/i,
        says: 'must be the account ID, such as 1234567 or 1234567_SB1',
      },
    },
    { name: 'client_id', kind: 'text', required: true },
    { name: 'certificate_id', kind: 'text', required: true },
    { name: 'private_key', kind: 'secret', required: true },
    {
      name: 'counted_types',
      kind: 'text',
      required: false,
      fallback: 'CashSale,CustInvc,CustCred,CashRfnd',
      pattern: listPattern(/\w+/, 'must be transaction types separated by commas'),
    },
    {
      // written from memory: sold quantities are negative in the lines, returned ones positive
      name: 'sold_sign',
      kind: 'text',
      required: false,
      fallback: '-1',
      pattern: { matches: /^-?1$/, says: 'must be 1 or -1' },
    },
    { name: 'api_url', kind: 'address', required: false },
    { name: 'token_url', kind: 'address', required: false },
  ],
  streams: ['transactions'],
  history: { days: 3 * 365 },
  datedAhead: A_YEAR_AHEAD,

  authorize: bearer,
  refresh: (values, send) =>
    tokenByCertificate(values, values['token_url'] ?? `${baseOf(values)}/services/rest/auth/oauth2/v1/token`, send),
  // NetSuite also answers 400 if the role lacks a permission: to such a role, records it may not read do not exist. A field that does not
  // exist ("Field 'a' for record 'b' was not found") has nothing to do with permissions
  refusal: ({ status, body }) =>
    (status === 403 && /INSUFFICIENT_PERMISSION|INVALID_LOGIN|permission/i.test(body)) ||
    (status === 400 &&
      /INSUFFICIENT_PERMISSION|does not have permission|error occurred: Record .\w+. was not found/i.test(body))
      ? PlatformFault.revoked(
          'The role of the integration is not allowed to read transactions or items in NetSuite. Grant it the permissions for the transaction types that count, Items, SuiteAnalytics Workbook and REST Web Services.',
        )
      : undefined,

  async check(api: ApiSession): Promise<string> {
    // everything that a sync reads, since the role may lack the permission for any of it
    await ask(
      api,
      `SELECT line.item FROM transaction JOIN transactionline line ON line.transaction = transaction.id
       JOIN item ON item.id = line.item WHERE ROWNUM <= 1`,
      1,
      0,
    );
    return api.value('account_id');
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const position = sweepOf<Position>(step, {
      after: earlier(step.since, CLOCK_MS).toISOString().slice(0, 19),
      id: 0,
    });
    const { begun } = position;
    const { items: transactions } = await ask<Transaction>(api, changedTransactions(api, position), PAGE, 0);
    const lines = transactions.length === 0 ? [] : await readLines(api, transactions);
    const linesOf = Map.groupBy(lines, (line) => String(line.transaction));
    const last = transactions.at(-1);
    return {
      orders: await readRecords(transactions, (transaction) => toOrder(api, transaction, linesOf)),
      next: last && transactions.length === PAGE ? { begun, after: last.changed, id: Number(last.id) } : null,
      seen: last ? seenSince(begun, last) : null,
    };
  },
};

const baseOf = (values: FieldValues): string =>
  values['api_url'] ?? `https://${values['account_id']!.toLowerCase().replaceAll('_', '-')}.suitetalk.api.netsuite.com`;

// column names and the time format are written from memory of the analytics data source
const TIME = `'YYYY-MM-DD"T"HH24:MI:SS'`;

function changedTransactions(api: ApiSession, { after, id }: Position): string {
  const types = listed(api.value('counted_types')).map((type) => `'${type}'`);
  const since = `TO_DATE('${after}', ${TIME})`;
  return `SELECT id, TO_CHAR(trandate, 'YYYY-MM-DD') AS trandate, TO_CHAR(lastmodifieddate, ${TIME}) AS changed, voided
    FROM transaction
    WHERE type IN (${types.join(', ')}) AND (lastmodifieddate > ${since} OR (lastmodifieddate = ${since} AND id > ${id}))
    ORDER BY lastmodifieddate, id`;
}

/** The lines that sell an item. For an inventory item, additional lines with its quantity book its cost (`iscogs`). */
function readLines(api: ApiSession, transactions: readonly Transaction[]): Promise<Line[]> {
  const ids = transactions.map(({ id }) => Number(id)).join(', ');
  const query = `SELECT line.transaction, line.item, item.itemid AS sku, item.displayname AS name, line.quantity
    FROM transactionline line JOIN item ON item.id = line.item
    WHERE line.transaction IN (${ids}) AND line.mainline = 'F' AND line.taxline = 'F'
      AND (line.iscogs = 'F' OR line.iscogs IS NULL)
    ORDER BY line.uniquekey`;
  return readAll<Line>(async (known) => {
    const { items, hasMore } = await ask<Line>(api, query, ROWS, known.length);
    return { records: items, more: hasMore };
  });
}

function toOrder(
  api: ApiSession,
  transaction: Transaction,
  linesOf: ReadonlyMap<string, readonly Line[]>,
): SourceOrder {
  const sign = Number(api.value('sold_sign'));
  const id = idOf(transaction.id);
  const own = transaction.voided === 'T' ? [] : (linesOf.get(id) ?? []);
  return {
    id,
    updatedAt: wallClock(transaction.changed),
    placed: transaction.trandate,
    lines: own.map(({ sku, item, name, quantity }) => ({
      sku,
      productId: String(item),
      name: name ?? sku,
      quantity: Number(quantity ?? 0) * sign,
    })),
  };
}

async function ask<Row>(
  api: ApiSession,
  q: string,
  limit: number,
  offset: number,
): Promise<{ items: readonly Row[]; hasMore: boolean }> {
  const { body } = await api.json<{ items: readonly Row[]; hasMore: boolean }>({
    url: `${baseOf(api.values)}/services/rest/query/v1/suiteql`,
    query: { limit: String(limit), offset: String(offset) },
    headers: { prefer: 'transient' },
    json: { q },
  });
  return body;
}

/**
 * The latest change that a page has certainly covered. If the clock is set back in the meantime, it dates new changes before those already
 * read: by no more than the hour plus the time since the beginning.
 */
function seenSince(begun: string, { changed }: Transaction): Date {
  const taken = Math.max(0, Date.now() - Date.parse(begun));
  return new Date(wallClock(changed).getTime() - taken);
}

/** A local time of the account as if it were UTC: it is only compared with other such times. */
const wallClock = (text: string): Date => new Date(`${text.slice(0, 19)}Z`);
