import type { SourceOrder } from '../orders/order.js';
import type { OutboundReply } from '../outbound/outbound-client.js';
import { type ApiSession, parseJson } from './api-session.js';
import { bearer, renewByRefreshToken } from './oauth.js';
import type { Platform, PulledPage, PullStep } from './platform.js';
import { windowedPage, windowOf } from './time-window.js';
import { readRecords } from './records.js';

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

/** Xero by its accounting API: developer.xero.com. */
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
    const window = windowOf(step);
    const url = `${api.value('api_url')}/api.xro/2.0/${kind.path}`;
    const reply = await api.send(
      {
        url,
        // that lists can be ordered by change is written from memory
        query: { where: kind.where, order: 'UpdatedDateUTC ASC', page: String(window.page), pageSize: String(PAGE) },
        headers: { 'if-modified-since': window.after.slice(0, 19) },
      },
      [304],
    );
    if (reply.status === 304) return { orders: [], next: null, seen: null };
    const body = parseJson(reply, new URL(url).hostname) as { [path: string]: readonly XeroRecord[] };
    const records = body[kind.path]!;
    const orders = await readRecords(records, (record) => toOrder(kind, record));
    return { ...windowedPage(window, { orders, full: records.length === PAGE }), pauseMs: pauseOf(reply) };
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

/** Leaves the allowance of the minute alone when it is used up. */
function pauseOf({ headers }: OutboundReply): number {
  return Number(headers['x-minlimit-remaining'] ?? 1) <= 0 ? MINUTE_MS : 0;
}

function dateOf(text: string): Date {
  return new Date(Number(/\/Date\((-?\d+)/.exec(text)?.[1] ?? NaN));
}
