import type { SourceOrder } from '../orders/order.js';
import type { OutboundReply } from '../outbound/outbound-client.js';
import { type ApiSession, parseJson } from './api-session.js';
import { bearer, renewByRefreshToken } from './oauth.js';
import type { Platform, PulledPage, PullStep } from './platform.js';
import { latestChange, readRecords } from './records.js';

const PAGE = 100;
const MINUTE_MS = 60_000;
const COUNTED = new Set(['AUTHORISED', 'PAID']);

interface Kind {
  /** Resource, and member of the reply. */
  readonly path: string;
  readonly where: string;
  readonly id: 'InvoiceID' | 'CreditNoteID';
  readonly sign: 1 | -1;
}

const KINDS: Readonly<Record<string, Kind>> = {
  invoices: { path: 'Invoices', where: 'Type=="ACCREC"', id: 'InvoiceID', sign: 1 },
  credit_notes: { path: 'CreditNotes', where: 'Type=="ACCRECCREDIT"', id: 'CreditNoteID', sign: -1 },
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
    readonly Description?: string;
    readonly Quantity?: number;
  }[];
}

/** `{"Invoices": […], "pagination": {"pageCount": 3, …}}`. */
type XeroPage = Readonly<Record<string, readonly XeroRecord[]>> & {
  readonly pagination: { readonly pageCount: number };
};

interface Position {
  /** From 1. */
  readonly page: number;
}

/**
 * Xero by its accounting API: developer.xero.com. Lists come in the order of change and, within an instant, of ids (Invoices and
 * Credit Notes, Optimised ordering). A record that changes moves to the end and all behind it up, so they are read from the last
 * page to the first: what moves then moves to pages that are still to be read.
 */
export const xero: Platform = {
  name: 'xero',
  fields: [
    {
      name: 'tenant_id',
      kind: 'text',
      identifies: true,
      required: true,
      pattern: { matches: /^[0-9a-f-]{36}$/i, says: 'must be the id of the Xero organisation' },
    },
    { name: 'client_id', kind: 'text', required: true },
    { name: 'client_secret', kind: 'secret', required: true },
    { name: 'refresh_token', kind: 'secret', required: true },
    { name: 'api_url', kind: 'address', required: false, fallback: 'https://api.xero.com' },
    { name: 'token_url', kind: 'address', required: false, fallback: 'https://identity.xero.com/connect/token' },
  ],
  streams: Object.keys(KINDS),
  history: { days: 3 * 365 },

  authorize: (values) => ({ ...bearer(values), 'xero-tenant-id': values['tenant_id'] ?? '' }),
  refresh: renewByRefreshToken,
  revoked: ({ body }) =>
    /AuthenticationUnsuccessful|insufficient_scope|AuthorizationUnsuccessful/i.test(body)
      ? 'Xero says that the organisation has disconnected the app, or not allowed it to read invoices.'
      : undefined,

  async check(api: ApiSession): Promise<string> {
    const { path, where } = KINDS['invoices']!;
    await api.json({ url: `${api.value('api_url')}/api.xro/2.0/${path}`, query: { where, page: '1', pageSize: '1' } });
    return api.value('tenant_id');
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const kind = KINDS[step.stream]!;
    const page = (step.position as Position | null)?.page ?? 1;
    const url = `${api.value('api_url')}/api.xro/2.0/${kind.path}`;
    const reply = await api.send(
      {
        url,
        query: { where: kind.where, page: String(page), pageSize: String(PAGE) },
        headers: { 'if-modified-since': step.since.toISOString().slice(0, 19) },
      },
      [304],
    );
    if (reply.status === 304) return { orders: [], next: null, seen: null };
    const body = parseJson(reply, new URL(url).hostname) as XeroPage;
    const records = body[kind.path]!;
    const orders = await readRecords(records, (record) => toOrder(kind, record));
    const first = step.position === null && records.length === PAGE;
    const next = first ? pageCount(body) : page - 1;
    return { orders, next: next > 0 ? { page: next } : null, seen: latestChange(orders), pauseMs: pauseOf(reply) };
  },
};

function toOrder({ id, sign }: Kind, record: XeroRecord): SourceOrder {
  return {
    id: record[id]!,
    updatedAt: dateOf(record.UpdatedDateUTC),
    placed: dateOf(record.Date).toISOString().slice(0, 10),
    lines: (COUNTED.has(record.Status) ? (record.LineItems ?? []) : []).map((line) => ({
      sku: line.ItemCode ?? null,
      productId: null,
      name: line.Description ?? null,
      quantity: (line.Quantity ?? 0) * sign,
    })),
  };
}

/** @throws {RangeError} where the list does not tell it */
function pageCount({ pagination }: XeroPage): number {
  if (!Number.isInteger(pagination.pageCount)) throw new RangeError('no count of pages');
  return pagination.pageCount;
}

/** Leaves the allowance of the minute alone when it is used up. */
function pauseOf({ headers }: OutboundReply): number {
  return Number(headers['x-minlimit-remaining'] ?? 1) <= 0 ? MINUTE_MS : 0;
}

function dateOf(text: string): Date {
  return new Date(Number(/\/Date\((-?\d+)/.exec(text)?.[1] ?? NaN));
}
