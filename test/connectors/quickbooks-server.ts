import { OAuthServer } from './oauth-server.js';
import type { PlatformReply, PlatformRequest } from './platform-server.js';

export interface QuickBooksRecord {
  readonly Id: string;
  readonly TxnDate: string;
  readonly MetaData: { LastUpdatedTime: string };
  Line: unknown[];
  status?: string;
}

export const sold = (item: string, quantity: number): unknown => ({
  DetailType: 'SalesItemLineDetail',
  SalesItemLineDetail: { Qty: quantity, ItemRef: { value: item, name: `Item ${item}` } },
});

/**
 * QuickBooks Online: its query language as far as it is used, which orders ids as text, items apart and the inactive ones where
 * they are asked for, deletions only in the change feed.
 */
export class QuickBooksServer extends OAuthServer {
  readonly records = new Map<string, QuickBooksRecord[]>();
  readonly items = new Map<string, { Id: string; Name: string; Sku?: string; Active?: boolean }>([
    ['1', { Id: '1', Name: 'Soap', Sku: 'SOAP' }],
    ['2', { Id: '2', Name: 'No SKU' }],
  ]);
  readonly deleted: { readonly kind: string; readonly record: QuickBooksRecord }[] = [];

  /** What a connector to the company is set to. */
  get settings() {
    return { realm_id: '42', refresh_token: this.refreshToken, ...this.grantSettings };
  }

  /** @param changed seconds of 2026-11-01 */
  add(kind: string, id: number, changed: number, lines: unknown[], day = '2026-10-15'): QuickBooksRecord {
    const LastUpdatedTime = new Date(Date.UTC(2026, 10, 1, 0, 0, changed)).toISOString();
    const record = { Id: String(id), TxnDate: day, MetaData: { LastUpdatedTime }, Line: lines };
    this.records.set(kind, [...(this.records.get(kind) ?? []), record]);
    return record;
  }

  delete(kind: string, id: number): void {
    const record = this.records.get(kind)!.find(({ Id }) => Id === String(id))!;
    this.records.set(
      kind,
      this.records.get(kind)!.filter((other) => other !== record),
    );
    const MetaData = { LastUpdatedTime: new Date(Date.now() - 1_000).toISOString() };
    this.deleted.push({ kind, record: { ...record, status: 'Deleted', MetaData } });
  }

  protected resource({ path, query }: PlatformRequest): PlatformReply {
    if (path === '/v3/company/42/companyinfo/42') return { body: { CompanyInfo: { CompanyName: 'Example Ltd' } } };
    if (path === '/v3/company/42/cdc') return { body: this.changes(new Date(query.get('changedSince')!)) };
    if (path !== '/v3/company/42/query') return { status: 404, body: {} };
    const text = query.get('query')!;
    const named = /^SELECT Id, Name, Sku FROM Item WHERE Id IN \(([^)]*)\)( AND Active IN \(true, false\))?/.exec(text);
    if (named) {
      const ids = [...named[1]!.matchAll(/'(\d+)'/g)].map((match) => match[1]!);
      const known = ids.flatMap((id) => this.items.get(id) ?? []);
      const Item = known.filter(({ Active }) => Active !== false || named[2] !== undefined);
      return { body: { QueryResponse: { Item } } };
    }
    const asked =
      /^SELECT \* FROM (\w+) WHERE MetaData\.LastUpdatedTime >= '([^']+)' ORDERBY Id STARTPOSITION (\d+) MAXRESULTS (\d+)$/.exec(
        text,
      );
    if (!asked) return { status: 400, body: { Fault: { type: 'ValidationFault' } } };
    const [, kind, since, start, most] = asked as unknown as [string, string, string, string, string];
    this.turnPage();
    const found = (this.records.get(kind) ?? [])
      .filter(({ MetaData }) => new Date(MetaData.LastUpdatedTime) >= new Date(since))
      .sort((a, b) => (a.Id < b.Id ? -1 : 1))
      .slice(Number(start) - 1, Number(start) - 1 + Number(most));
    return { body: { QueryResponse: found.length === 0 ? {} : { [kind]: found, startPosition: Number(start) } } };
  }

  /** The thousand earliest changes since, of records that stand and of deleted ones. */
  private changes(since: Date): unknown {
    const standing = [...this.records].flatMap(([kind, records]) => records.map((record) => ({ kind, record })));
    const changedAt = ({ record }: { readonly record: QuickBooksRecord }) =>
      Date.parse(record.MetaData.LastUpdatedTime);
    const changed = [...standing, ...this.deleted]
      .filter((change) => changedAt(change) >= since.getTime())
      .sort((a, b) => changedAt(a) - changedAt(b))
      .slice(0, 1_000);
    const parts = changed.map(({ kind, record }) => ({ [kind]: [{ ...record, Line: undefined }] }));
    return { CDCResponse: [{ QueryResponse: [...parts, {}] }] };
  }
}
