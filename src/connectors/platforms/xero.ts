import { MINUTE_MS } from '../../platform/durations.js';
import { dayOf } from '../../platform/utc-calendar.js';
import { firstText, type SourceOrder } from '../orders/order.js';
import type { OutboundReply } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';
import type { ApiSession } from './api-session.js';
import { parseJson } from './judge-reply.js';
import { type IdSweep, seenInSweep, sweepOf } from './id-sweep.js';
import { bearer, renewByRefreshToken } from './oauth.js';
import { A_YEAR_AHEAD, type Platform, type PulledPage, type PullStep } from './platform.js';
import { readRecords } from './records.js';

const PAGE = 100;
const COUNTED = new Set(['AUTHORISED', 'PAID']);

interface Kind {
  /** Resource, and member of the response. */
  readonly path: string;
  readonly where: string;
  readonly order: string;
  readonly id: 'InvoiceID' | 'CreditNoteID';
  readonly sign: 1 | -1;
}

const KINDS: Readonly<Record<string, Kind>> = {
  invoices: { path: 'Invoices', where: 'Type=="ACCREC"', order: 'InvoiceId ASC', id: 'InvoiceID', sign: 1 },
  credit_notes: {
    path: 'CreditNotes',
    where: 'Type=="ACCRECCREDIT"',
    order: 'CreditNoteID ASC',
    id: 'CreditNoteID',
    sign: -1,
  },
};

interface XeroRecord {
  readonly InvoiceID?: string;
  readonly CreditNoteID?: string;
  readonly Status: string;
  /** `/Date(1518685950940+0000)/`. */
  readonly Date: string;
  readonly UpdatedDateUTC: string;
  readonly LineItems?: readonly {
    readonly ItemCode?: string;
    readonly Item?: { readonly Name?: string };
    /** The invoice's description of this sale. */
    readonly Description?: string;
    readonly Quantity?: number;
  }[];
}

interface Position extends IdSweep {
  /** One-based. */
  readonly page: number;
}

/**
 * Xero through its accounting API: developer.xero.com. Lists can be ordered by id (Invoices and Credit Notes, Optimised ordering), and
 * nothing leaves them, since deleted records have a status that says so: records added in the meantime move the others to later pages.
 */
export const xero: Platform = {
  name: 'xero',
  fields: [
    {
      name: 'tenant_id',
      kind: 'text',
      identifies: true,
      required: true,
      pattern: { matches: /^[0-9a-f-]{36}$/i, says: 'must be the ID of the Xero organization' },
    },
    { name: 'client_id', kind: 'text', required: true },
    { name: 'client_secret', kind: 'secret', required: true },
    { name: 'refresh_token', kind: 'secret', required: true },
    { name: 'api_url', kind: 'address', required: false, fallback: 'https://api.xero.com' },
    { name: 'token_url', kind: 'address', required: false, fallback: 'https://identity.xero.com/connect/token' },
  ],
  streams: Object.keys(KINDS),
  history: { days: 3 * 365 },
  datedAhead: A_YEAR_AHEAD,

  authorize: (values) => ({ ...bearer(values), 'xero-tenant-id': values['tenant_id'] ?? '' }),
  refresh: renewByRefreshToken,
  refusal({ status, headers, body }) {
    // Xero answers 401 if a scope is missing, as it does for invalid credentials
    if (/insufficient_scope|AuthorizationUnsuccessful/i.test(`${headers['www-authenticate'] ?? ''} ${body}`)) {
      return PlatformFault.revoked(
        'The app is not allowed to read invoices in Xero. Have the organization authorize it with the scope accounting.invoices.read (accounting.transactions.read for apps created before March 2026).',
      );
    }
    return status === 403 && /AuthenticationUnsuccessful/i.test(body)
      ? PlatformFault.revoked('Xero denies access: the organization has disconnected the app, or `tenant_id` is wrong.')
      : undefined;
  },

  async check(api: ApiSession): Promise<string> {
    const { path, where } = KINDS['invoices']!;
    await api.json({ url: `${api.value('api_url')}/api.xro/2.0/${path}`, query: { where, page: '1', pageSize: '1' } });
    return api.value('tenant_id');
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const kind = KINDS[step.stream]!;
    const { begun, page } = sweepOf<Position>(step, { page: 1 });
    const url = `${api.value('api_url')}/api.xro/2.0/${kind.path}`;
    const reply = await api.send(
      {
        url,
        query: { where: kind.where, order: kind.order, page: String(page), pageSize: String(PAGE) },
        headers: { 'if-modified-since': step.since.toISOString().slice(0, 19) },
      },
      [304],
    );
    if (reply.status === 304) return { orders: [], next: null, seen: null };
    const body = parseJson(reply, new URL(url).hostname) as { [path: string]: readonly XeroRecord[] };
    const records = body[kind.path]!;
    const orders = await readRecords(records, (record) => toOrder(kind, record));
    const next: Position | null = records.length === PAGE ? { begun, page: page + 1 } : null;
    return { orders, next, seen: seenInSweep({ begun }, orders), pauseMs: pauseOf(reply) };
  },
};

function toOrder({ id, sign }: Kind, record: XeroRecord): SourceOrder {
  return {
    id: record[id]!,
    updatedAt: dateOf(record.UpdatedDateUTC),
    placed: dayOf(dateOf(record.Date)),
    lines: (COUNTED.has(record.Status) ? (record.LineItems ?? []) : []).map((line) => ({
      sku: line.ItemCode ?? null,
      productId: null,
      name: firstText(line.Item?.Name, line.Description),
      quantity: (line.Quantity ?? 0) * sign,
    })),
  };
}

/** Pauses when the per-minute quota is used up. */
function pauseOf({ headers }: OutboundReply): number {
  return Number(headers['x-minlimit-remaining'] ?? 1) <= 0 ? MINUTE_MS : 0;
}

function dateOf(text: string): Date {
  return new Date(Number(/\/Date\((-?\d+)/.exec(text)?.[1] ?? NaN));
}
