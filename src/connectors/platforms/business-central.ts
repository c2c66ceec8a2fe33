import { PlatformFault } from '../platform-fault.js';
import type { SourceOrder } from '../orders/order.js';
import type { ApiSession } from './api-session.js';
import { askForGrant, bearer } from './oauth.js';
import type { Platform, PulledPage, PullStep } from './platform.js';
import { latestChange, readRecords } from './records.js';

const GUID = {
  matches: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  says: 'must be an id such as 1a2b3c4d-0000-4000-8000-000000000000',
};

/**
 * Records a page, with their lines. Left to itself Business Central sends 20,000 at a time, which is more than a reply may
 * hold: learn.microsoft.com, operational limits.
 */
const PAGE = 500;

interface Kind {
  /** Entity set; its lines are a navigation property. */
  readonly set: string;
  readonly lines: string;
  readonly sign: 1 | -1;
}

const KINDS: Readonly<Record<string, Kind>> = {
  invoices: { set: 'salesInvoices', lines: 'salesInvoiceLines', sign: 1 },
  credit_memos: { set: 'salesCreditMemos', lines: 'salesCreditMemoLines', sign: -1 },
};

interface BusinessCentralLine {
  readonly lineType: string;
  readonly lineObjectNumber: string;
  readonly description?: string;
  readonly quantity: number;
}

interface BusinessCentralRecord {
  readonly id: string;
  readonly status: string;
  readonly postingDate: string;
  readonly lastModifiedDateTime: string;
  readonly [lines: string]: unknown;
}

/** Dynamics 365 Business Central by its API v2.0: learn.microsoft.com/dynamics365/business-central/dev-itpro/api-reference/v2.0. */
export const businessCentral: Platform = {
  name: 'business_central',
  fields: [
    { name: 'tenant_id', kind: 'text', required: true, pattern: GUID, identifies: true },
    {
      name: 'environment',
      kind: 'text',
      identifies: true,
      required: false,
      fallback: 'production',
      pattern: { matches: /^[\w-]{1,60}$/, says: 'must be the name of the environment' },
    },
    { name: 'company_id', kind: 'text', required: true, pattern: GUID, identifies: true },
    { name: 'client_id', kind: 'text', required: true },
    { name: 'client_secret', kind: 'secret', required: true },
    {
      // the names of the statuses are written from memory
      name: 'counted_statuses',
      kind: 'text',
      required: false,
      fallback: 'Open,Paid',
      pattern: { matches: /^[\w ]+(,[\w ]+)*$/, says: 'must be statuses separated by commas' },
    },
    { name: 'api_url', kind: 'address', required: false, fallback: 'https://api.businesscentral.dynamics.com' },
    { name: 'token_url', kind: 'address', required: false },
    {
      name: 'token_scope',
      kind: 'text',
      required: false,
      fallback: 'https://api.businesscentral.dynamics.com/.default',
    },
  ],
  streams: Object.keys(KINDS),
  history: { days: 3 * 365 },

  authorize: bearer,
  refresh: (values, send) =>
    askForGrant(
      send,
      values['token_url'] ?? `https://login.microsoftonline.com/${values['tenant_id']}/oauth2/v2.0/token`,
      {
        grant_type: 'client_credentials',
        client_id: values['client_id']!,
        client_secret: values['client_secret']!,
        scope: values['token_scope']!,
      },
    ),
  revoked: ({ body }) =>
    /Authorization_RequestDenied|Internal_ClientError|permission/i.test(body)
      ? 'Business Central says that the app may not read the company’s sales.'
      : undefined,

  async check(api: ApiSession): Promise<string> {
    const { body } = await api.json<{ displayName?: string; name?: string }>({ url: companyUrl(api) });
    return body.displayName ?? body.name ?? api.value('company_id');
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const kind = KINDS[step.stream]!;
    const first = {
      url: `${companyUrl(api)}/${kind.set}`,
      query: {
        $expand: kind.lines,
        $filter: `lastModifiedDateTime gt ${step.since.toISOString()}`,
        $orderby: 'lastModifiedDateTime',
      },
    };
    const { body } = await api.json<{ value: readonly BusinessCentralRecord[]; '@odata.nextLink'?: string }>({
      ...(typeof step.position === 'string' ? { url: step.position } : first),
      headers: { prefer: `odata.maxpagesize=${PAGE}` },
    });
    const next = body['@odata.nextLink'] ?? null;
    const origin = new URL(api.value('api_url')).origin;
    if (next !== null && (!URL.canParse(next) || new URL(next).origin !== origin)) {
      throw PlatformFault.refused('redirected', 'The next page lies at another address, which is not followed.');
    }
    const orders = await readRecords(body.value, (record) => toOrder(api, kind, record));
    return { orders, next, seen: latestChange(orders) };
  },
};

const companyUrl = (api: ApiSession): string =>
  `${api.value('api_url')}/v2.0/${api.value('tenant_id')}/${api.value('environment')}/api/v2.0/companies(${api.value('company_id')})`;

function toOrder(api: ApiSession, { lines, sign }: Kind, record: BusinessCentralRecord): SourceOrder {
  const counts = api.value('counted_statuses').split(',').includes(record.status);
  const own = counts ? (record[lines] as readonly BusinessCentralLine[]) : [];
  return {
    id: record.id,
    updatedAt: new Date(record.lastModifiedDateTime),
    placed: record.postingDate,
    lines: own
      .filter(({ lineType }) => lineType === 'Item')
      .map((line) => ({
        sku: line.lineObjectNumber,
        productId: null,
        name: line.description ?? null,
        quantity: line.quantity * sign,
      })),
  };
}
