import { inBatches } from '../../platform/batches.js';
import { DAY_MS } from '../../platform/durations.js';
import type { SourceLine, SourceOrder } from '../orders/order.js';
import { PlatformFault } from '../platform-fault.js';
import type { ApiSession } from './api-session.js';
import { FIRST_ROW, offsetPage, type OffsetSweep, sweepOf } from './id-sweep.js';
import { bearer, renewByRefreshToken } from './oauth.js';
import { pageSize } from './page-size.js';
import { A_YEAR_AHEAD, type Platform, type PulledPage, type PullStep } from './platform.js';
import { idOf, readRecords } from './records.js';

const PAGE = 1_000;
/** Item ids per query. */
const ITEMS = 100;
/** How far back QuickBooks reports deletions, minus a day for clock skew. */
const DELETIONS_MS = 29 * DAY_MS;
/** Maximum number of changes that it reports. */
const CHANGES = 1_000;

/** The sign of each kind of record, by QuickBooks' name: sold or returned. */
const SIGNS: Readonly<Record<string, 1 | -1>> = { Invoice: 1, SalesReceipt: 1, CreditMemo: -1, RefundReceipt: -1 };
const DELETIONS = 'deletions';

// field names of lines and items are written from memory of the API's schema
interface QuickBooksLine {
  readonly DetailType?: string;
  readonly Description?: string;
  readonly SalesItemLineDetail?: {
    readonly Qty?: number;
    readonly ItemRef?: { readonly value: string; readonly name?: string };
  };
  /** Lines of a bundle. */
  readonly GroupLineDetail?: { readonly Line?: readonly QuickBooksLine[] };
}

interface QuickBooksRecord {
  readonly Id: string;
  readonly status?: string;
  readonly TxnDate: string;
  readonly MetaData: { readonly LastUpdatedTime: string };
  readonly Line?: readonly QuickBooksLine[];
}

interface Item {
  readonly Id: string;
  readonly Name?: string;
  readonly Sku?: string;
}

/**
 * QuickBooks Online through its accounting API: developer.intuit.com. Records are listed by id (Data queries, ORDERBY and STARTPOSITION);
 * the comparison of ids is undocumented, so queries do not filter by them.
 */
export const quickbooks: Platform = {
  name: 'quickbooks',
  fields: [
    {
      name: 'realm_id',
      kind: 'text',
      identifies: true,
      required: true,
      pattern: { matches: /^\d{1,30}$/, says: 'must be the company ID, a number' },
    },
    { name: 'client_id', kind: 'text', required: true },
    { name: 'client_secret', kind: 'secret', required: true },
    { name: 'refresh_token', kind: 'secret', required: true },
    {
      name: 'minor_version',
      kind: 'text',
      required: false,
      fallback: '75',
      pattern: { matches: /^\d{1,4}$/, says: 'must be a number' },
    },
    { name: 'api_url', kind: 'address', required: false, fallback: 'https://quickbooks.api.intuit.com' },
    {
      name: 'token_url',
      kind: 'address',
      required: false,
      fallback: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    },
  ],
  streams: [...Object.keys(SIGNS), DELETIONS],
  history: { days: 3 * 365 },
  datedAhead: A_YEAR_AHEAD,

  authorize: bearer,
  refresh: renewByRefreshToken,
  refusal({ status, body }) {
    if (status === 403 && /ApplicationAuthorizationFailed|errorCode=003100|"code":"3100"/i.test(body)) {
      return PlatformFault.revoked(
        'QuickBooks denies access: the company has disconnected the app, `realm_id` belongs to another company, or one of the two belongs to the sandbox.',
      );
    }
    // error 120: developer.intuit.com, Top QuickBooks Online API Errors
    return status === 401 && /AuthorizationFailure|"code": ?"120"/i.test(body)
      ? PlatformFault.revoked(
          'The user who authorized the app can no longer read the company in QuickBooks. Have an administrator of the company authorize the app, and enter the new refresh token.',
        )
      : undefined;
  },
  retryAfterMs: () => 60_000,

  async check(api: ApiSession): Promise<string> {
    const { body } = await api.json<{ CompanyInfo?: { CompanyName?: string } }>({
      url: companyUrl(api, `companyinfo/${api.value('realm_id')}`),
    });
    return body.CompanyInfo?.CompanyName ?? api.value('realm_id');
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    if (step.stream === DELETIONS) return pullDeletions(api, step);
    const position = sweepOf<OffsetSweep>(step, FIRST_ROW);
    const size = pageSize(PAGE, step);
    const records = await query<QuickBooksRecord>(
      api,
      step.stream,
      `SELECT * FROM ${step.stream} WHERE MetaData.LastUpdatedTime >= '${step.since.toISOString()}' ORDERBY Id STARTPOSITION ${position.offset + 1} MAXRESULTS ${size}`,
    );
    return offsetPage(position, {
      rows: records,
      size,
      idOf: ({ Id }) => Id,
      async toOrders(unread) {
        const items = await readItems(api, unread);
        return readRecords(unread, (record) => toOrder(step.stream, record, items));
      },
    });
  },
};

const companyUrl = (api: ApiSession, rest: string): string =>
  `${api.value('api_url')}/v3/company/${api.value('realm_id')}/${rest}`;

async function query<Record>(api: ApiSession, kind: string, text: string): Promise<readonly Record[]> {
  const { body } = await api.json<{ QueryResponse: { [kind: string]: readonly Record[] | undefined } }>({
    url: companyUrl(api, 'query'),
    query: { query: text, minorversion: api.value('minor_version') },
  });
  return body.QueryResponse[kind] ?? [];
}

/** Where the change data is read from next, ISO 8601. */
interface ChangesPosition {
  readonly from: string;
}

/**
 * Queries no longer find what was deleted in QuickBooks; its change data does, for thirty days. It does not support an end of the period:
 * if there are more changes than it reports, the next request starts from the last of them. That the reported ones are the earliest is
 * undocumented.
 */
async function pullDeletions(api: ApiSession, { since, position }: PullStep): Promise<PulledPage> {
  const begin = (position as ChangesPosition | null)?.from ?? since.toISOString();
  const from = new Date(Math.max(Date.parse(begin), Date.now() - DELETIONS_MS));
  const { body } = await api.json<{
    CDCResponse: readonly { QueryResponse?: readonly { [kind: string]: readonly QuickBooksRecord[] | undefined }[] }[];
  }>({
    url: companyUrl(api, 'cdc'),
    query: {
      entities: Object.keys(SIGNS).join(','),
      changedSince: from.toISOString(),
      minorversion: api.value('minor_version'),
    },
  });
  const deleted: SourceOrder[] = [];
  let count = 0;
  let seen: Date | null = null;
  for (const part of body.CDCResponse.flatMap(({ QueryResponse }) => QueryResponse ?? [])) {
    for (const kind of Object.keys(SIGNS)) {
      for (const record of part[kind] ?? []) {
        const updatedAt = changedAt(record);
        count += 1;
        if (!seen || updatedAt > seen) seen = updatedAt;
        if (record.status === 'Deleted')
          deleted.push({ id: `${kind}:${idOf(record.Id)}`, updatedAt, placed: updatedAt, lines: [] });
      }
    }
  }
  return { orders: deleted, listed: [from], next: count < CHANGES ? null : changesAfter(from, seen!), seen };
}

/** If as many changes as it reports fall within one second, they would be reported over and over. */
function changesAfter(from: Date, last: Date): ChangesPosition {
  return { from: new Date(Math.max(last.getTime(), from.getTime() + 1_000)).toISOString() };
}

function toOrder(kind: string, record: QuickBooksRecord, items: ReadonlyMap<string, Item>): SourceOrder {
  const lines = soldLines(record.Line ?? []).map(({ SalesItemLineDetail: detail, Description }): SourceLine => {
    const item = items.get(detail!.ItemRef!.value);
    return {
      sku: item?.Sku ?? null,
      productId: detail!.ItemRef!.value,
      name: item?.Name ?? detail!.ItemRef!.name ?? Description ?? null,
      quantity: (detail!.Qty ?? 0) * SIGNS[kind]!,
    };
  });
  return { id: `${kind}:${idOf(record.Id)}`, updatedAt: changedAt(record), placed: record.TxnDate.slice(0, 10), lines };
}

/** Lines that sell a numbered item, including those of bundles; shipping has an item with a name instead of a number. */
function soldLines(lines: readonly QuickBooksLine[]): QuickBooksLine[] {
  return lines.flatMap((line) => {
    if (line.GroupLineDetail) return soldLines(line.GroupLineDetail.Line ?? []);
    const item = line.SalesItemLineDetail?.ItemRef?.value;
    return line.DetailType === 'SalesItemLineDetail' && item !== undefined && /^\d+$/.test(item) ? [line] : [];
  });
}

async function readItems(api: ApiSession, records: readonly QuickBooksRecord[]): Promise<Map<string, Item>> {
  const ids = new Set(
    records.flatMap(({ Line }) => soldLines(Line ?? []).map((line) => line.SalesItemLineDetail!.ItemRef!.value)),
  );
  const items = new Map<string, Item>();
  for (const some of inBatches([...ids], ITEMS)) {
    const named = some.map((id) => `'${id}'`).join(', ');
    const read = await query<Item>(
      api,
      'Item',
      // inactive items are only returned on request, and were sold while active
      `SELECT Id, Name, Sku FROM Item WHERE Id IN (${named}) AND Active IN (true, false) MAXRESULTS ${PAGE}`,
    );
    for (const item of read) items.set(item.Id, item);
  }
  return items;
}

function changedAt({ MetaData }: QuickBooksRecord): Date {
  return new Date(MetaData.LastUpdatedTime);
}
