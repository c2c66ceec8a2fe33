import { OAuthServer } from './oauth-server.js';
import type { PlatformReply, PlatformRequest } from './platform-server.js';

export const ENTRA_TENANT = '11111111-2222-4333-8444-555555555555';
export const COMPANY = '66666666-7777-4888-8999-000000000000';
const ENVIRONMENT = `/v2.0/${ENTRA_TENANT}/production`;
const ROOT = `${ENVIRONMENT}/api/v2.0/companies(${COMPANY})`;
const UNITS = `${ENVIRONMENT}/ODataV4/Company('CRONUS d''Azur')/ItemUnits`;
const PAGE = 20;

interface Record_ {
  readonly id: string;
  status: string;
  readonly postingDate: string;
  changed: number;
  readonly lines: readonly (readonly [lineType: string, item: string, quantity: number, unit?: string])[];
}

interface LinesPage {
  readonly value: unknown[];
  readonly link?: string;
}

/**
 * Business Central's API v2.0: filters by change, server-driven pages by absolute links, tokens by client credentials; and the
 * page Item Units of Measure as the web service ItemUnits.
 */
export class BusinessCentralServer extends OAuthServer {
  readonly records: Record<string, Record_[]> = { salesInvoices: [], salesCreditMemos: [] };
  readonly units: (readonly [item: string, code: string, size: number])[] = [];
  displayName = 'CRONUS';
  /** Entity sets that the permission sets of the app leave out. */
  hidden: readonly string[] = [];
  /** Lines that are sent at a time, with their record and behind it. */
  linesAtOnce = 1_000;
  /** Where the links of the next pages lead instead. */
  linksTo: string | undefined;

  /** What a connector to the company is set to. */
  get settings() {
    return { tenant_id: ENTRA_TENANT, company_id: COMPANY, ...this.grantSettings };
  }

  /** @param changed seconds of 2026-11-01 */
  add(
    set: 'salesInvoices' | 'salesCreditMemos',
    id: string,
    changed: number,
    lines: Record_['lines'],
    status = 'Open',
  ): Record_ {
    const record = { id, status, postingDate: '2026-10-15', changed, lines };
    this.records[set]!.push(record);
    return record;
  }

  protected override answer(request: PlatformRequest): PlatformReply {
    if (request.path !== '/token' || this.grantFault) return super.answer(request);
    const given = Object.fromEntries(new URLSearchParams(request.body));
    const fits = given['client_id'] === this.client.id && given['client_secret'] === this.client.secret;
    if (given['grant_type'] !== 'client_credentials' || !given['scope']?.endsWith('/.default')) {
      return { status: 400, body: { error: 'invalid_request' } };
    }
    if (!fits) return { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215' } };
    const { refresh_token: _, ...issued } = this.issue();
    return { body: issued };
  }

  protected resource({ path, query }: PlatformRequest): PlatformReply {
    if (path === ROOT) return { body: { id: COMPANY, name: "CRONUS d'Azur", displayName: this.displayName } };
    if (decodeURIComponent(path) === UNITS) return this.unitsOf(query);
    const [, of, id, lines] = /(\w+)\((\w+)\)\/(\w+)$/.exec(path) ?? [];
    if (of !== undefined && path.startsWith(ROOT)) {
      const record = this.records[of]!.find((known) => known.id === id)!;
      const { value, link } = this.linesOf(record, of, lines!, Number(query.get('$skiptoken')));
      return { body: { value, '@odata.nextLink': link } };
    }
    const [, ofRecord, recordId] = /\/(\w+)\((\w+)\)$/.exec(path) ?? [];
    if (ofRecord !== undefined && path.startsWith(`${ROOT}/`)) {
      const record = this.records[ofRecord]!.find((known) => known.id === recordId);
      return record
        ? { body: this.shown(record, ofRecord, query.get('$expand')!) }
        : { status: 404, body: { error: { code: 'Internal_RecordNotFound' } } };
    }
    const set = path.replace(`${ROOT}/`, '');
    if (this.hidden.includes(set)) return { status: 403, body: { error: { message: 'Lacks the permission.' } } };
    if (this.records[set] && query.get('$top') === '1') return { body: { value: [] } };
    const since = /^lastModifiedDateTime gt (\S+)$/.exec(query.get('$filter') ?? '')?.[1];
    if (!this.records[set] || since === undefined) return { status: 404, body: {} };
    const linesOf = query.get('$expand')!;
    const skip = Number(query.get('$skiptoken') ?? 0);
    const found = this.records[set]
      .filter(({ changed }) => at(changed) > new Date(since).toISOString())
      .sort((a, b) => a.changed - b.changed);
    const link = new URL(path, this.linksTo ?? this.url);
    for (const [name, value] of query) link.searchParams.set(name, value);
    link.searchParams.set('$skiptoken', String(skip + PAGE));
    return {
      body: {
        value: found.slice(skip, skip + PAGE).map((record) => this.shown(record, set, linesOf)),
        ...(found.length > skip + PAGE ? { '@odata.nextLink': link.href } : {}),
      },
    };
  }

  private shown(record: Record_, set: string, lines: string): unknown {
    const { value, link } = this.linesOf(record, set, lines, 0);
    return {
      id: record.id,
      status: record.status,
      postingDate: record.postingDate,
      lastModifiedDateTime: at(record.changed),
      [lines]: value,
      [`${lines}@odata.nextLink`]: link,
    };
  }

  private linesOf(record: Record_, set: string, lines: string, skip: number): LinesPage {
    const end = skip + this.linesAtOnce;
    const value = record.lines
      .slice(skip, end)
      .map(([lineType, lineObjectNumber, quantity, unitOfMeasureCode = '']) => ({
        lineType,
        lineObjectNumber,
        quantity,
        unitOfMeasureCode,
        description: `Item ${lineObjectNumber}`,
      }));
    if (record.lines.length <= end) return { value };
    return { value, link: `${this.url}${ROOT}/${set}(${record.id})/${lines}?$skiptoken=${end}` };
  }

  private unitsOf(query: URLSearchParams): PlatformReply {
    const items = query
      .get('$filter')
      ?.split(' or ')
      .map((term) => /^Item_No eq '(.+)'$/.exec(term)![1]!.replaceAll("''", "'"));
    const found = this.units
      .filter(([item]) => items?.includes(item) ?? true)
      .slice(0, Number(query.get('$top') ?? Infinity));
    return {
      body: {
        value: found.map(([Item_No, Code, Qty_per_Unit_of_Measure]) => ({ Item_No, Code, Qty_per_Unit_of_Measure })),
      },
    };
  }
}

const at = (second: number): string => new Date(Date.UTC(2026, 10, 1, 0, 0, second)).toISOString();
