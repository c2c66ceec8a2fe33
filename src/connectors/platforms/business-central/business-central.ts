import { PlatformFault } from '../../platform-fault.js';
import type { SourceOrder } from '../../orders/order.js';
import type { ApiSession } from '../api-session.js';
import { listPattern } from '../list-field.js';
import { askForGrant, bearer } from '../oauth.js';
import { pageSize } from '../page-size.js';
import { A_YEAR_AHEAD, type Platform, type PulledPage, type PullStep } from '../platform.js';
import { latestChange, readRecords } from '../records.js';
import { companyUrl, readCompany } from './business-central-company.js';
import { type BusinessCentralRecord, KINDS, toOrder } from './business-central-order.js';
import { nextLink, withAllLines } from './business-central-pages.js';
import { checkUnits, inBaseUnits } from './business-central-units.js';

const GUID = {
  matches: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  says: 'must be a GUID such as 1a2b3c4d-0000-4000-8000-000000000000',
};

/**
 * Records per page, with their lines. By default Business Central sends 20,000 at a time, which may exceed the size limit of a response:
 * learn.microsoft.com, operational limits.
 */
const PAGE = 500;

/** Dynamics 365 Business Central through its API v2.0: learn.microsoft.com/dynamics365/business-central/dev-itpro/api-reference/v2.0. */
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
      // learn.microsoft.com, Invoice Entity Aggregate Status. This excludes both a Canceled invoice and the Corrective memo that cancels it
      name: 'counted_statuses',
      kind: 'text',
      required: false,
      fallback: 'Open,Paid',
      pattern: listPattern(/\w+( +\w+)*/, 'must be statuses separated by commas'),
    },
    {
      name: 'units_service',
      kind: 'text',
      required: false,
      pattern: { matches: /^\w{1,100}$/, says: 'must be the name of the web service' },
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
  datedAhead: A_YEAR_AHEAD,

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
  refusal({ status, body }) {
    if (status === 404) {
      const message = 'Business Central has no such `environment`, `company_id` or `units_service`.';
      return PlatformFault.refused('request_refused', message, status);
    }
    if (status === 401) {
      return PlatformFault.reconnect(
        'credentials_refused',
        'Business Central rejects the app. Check that it is enabled there (Microsoft Entra Applications) and that an admin has granted consent to its permission in Entra.',
      );
    }
    return status === 403 && /Authorization_RequestDenied|Internal_ClientError|permission|TableData/i.test(body)
      ? PlatformFault.revoked(
          'The app is not allowed to read the company’s sales, or the page of `units_service`, in Business Central.',
        )
      : undefined;
  },

  async check(api: ApiSession): Promise<string> {
    const company = await readCompany(api);
    for (const { set } of Object.values(KINDS)) {
      await api.send({ url: `${companyUrl(api)}/${set}`, query: { $select: 'id', $top: '1' } });
    }
    await checkUnits(api, company);
    return company.displayName || company.name;
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
      headers: { prefer: `odata.maxpagesize=${pageSize(PAGE, step)}` },
    });
    const next = nextLink(api, body) ?? null;
    const orders = await readRecords(
      body.value,
      async (record) => toOrder(api, kind, await withAllLines(api, kind, record)),
      step,
    );
    return { orders: await inBaseUnits(api, orders), next, seen: latestChange(orders) };
  },

  async readOrder(api: ApiSession, id: string): Promise<SourceOrder | undefined> {
    for (const kind of Object.values(KINDS)) {
      const request = { url: `${companyUrl(api)}/${kind.set}(${id})`, query: { $expand: kind.lines } };
      const record = await api.patiently(() => api.find<BusinessCentralRecord>(request));
      if (!record) continue;
      const [order] = await inBaseUnits(api, [toOrder(api, kind, await withAllLines(api, kind, record))]);
      return order;
    }
    return undefined;
  },
};
