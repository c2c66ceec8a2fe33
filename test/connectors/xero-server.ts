import { OAuthServer } from './oauth-server.js';
import type { PlatformReply, PlatformRequest } from './platform-server.js';

export interface XeroRecord {
  readonly id: string;
  status: string;
  readonly day: string;
  changed: number;
  readonly lines: readonly (readonly [item: string | undefined, quantity: number])[];
}

interface Place {
  readonly kind: string;
  readonly where: string;
  readonly order: string;
  readonly id: string;
}

const PLACES: Readonly<Record<string, Place>> = {
  '/api.xro/2.0/Invoices': { kind: 'Invoices', where: 'Type=="ACCREC"', order: 'InvoiceId ASC', id: 'InvoiceID' },
  '/api.xro/2.0/CreditNotes': {
    kind: 'CreditNotes',
    where: 'Type=="ACCRECCREDIT"',
    order: 'CreditNoteID ASC',
    id: 'CreditNoteID',
  },
};
export const TENANT = '11111111-2222-4333-8444-555555555555';

/** Xero's accounting API: pages by number after If-Modified-Since in the order of ids, dates of its own form, allowances in headers. */
export class XeroServer extends OAuthServer {
  readonly records: Record<string, XeroRecord[]> = { Invoices: [], CreditNotes: [] };
  minuteLeft = 60;

  /** What a connector to the organisation is set to. */
  get settings() {
    return { tenant_id: TENANT, refresh_token: this.refreshToken, ...this.grantSettings };
  }

  /** @param changed seconds of 2026-11-01 */
  add(
    kind: 'Invoices' | 'CreditNotes',
    id: string,
    changed: number,
    lines: XeroRecord['lines'],
    status = 'AUTHORISED',
  ): XeroRecord {
    const record = { id, status, day: '2026-10-15', changed, lines };
    this.records[kind]!.push(record);
    return record;
  }

  protected resource({ path, query, headers }: PlatformRequest): PlatformReply {
    const place = PLACES[path];
    if (headers['xero-tenant-id'] !== TENANT) return { status: 403, body: { Detail: 'AuthenticationUnsuccessful' } };
    if (!place || query.get('where') !== place.where) return { status: 404, body: {} };
    if (![place.order, null].includes(query.get('order')))
      return { status: 400, body: { Type: 'QueryParseException' } };
    this.turnPage();
    const since = Date.parse(`${headers['if-modified-since'] ?? '1970-01-01T00:00:00'}Z`);
    const [size, page] = [Number(query.get('pageSize')), Number(query.get('page'))];
    const at = ({ changed }: XeroRecord): number => Date.UTC(2026, 10, 1, 0, 0, changed);
    const found = this.records[place.kind]!.filter((record) => at(record) >= since)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice((page - 1) * size, page * size)
      .map((record) => ({
        [place.id]: record.id,
        Status: record.status,
        Date: `/Date(${Date.parse(`${record.day}T00:00:00Z`)}+0000)/`,
        UpdatedDateUTC: `/Date(${at(record)}+0000)/`,
        LineItems: record.lines.map(([ItemCode, Quantity]) => ({
          ItemCode,
          Quantity,
          Description: `${Quantity} times ${ItemCode}, as agreed`,
          ...(ItemCode === undefined ? {} : { Item: { Code: ItemCode, Name: `Item ${ItemCode}` } }),
        })),
      }));
    return { body: { [place.kind]: found }, headers: { 'x-minlimit-remaining': String(this.minuteLeft) } };
  }
}
