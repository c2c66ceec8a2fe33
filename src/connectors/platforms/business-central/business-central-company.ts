import type { ApiSession } from '../api-session.js';

export interface Company {
  /** Identifies it in web services. */
  readonly name: string;
  /** Empty if not set. */
  readonly displayName?: string;
}

export const companyUrl = (api: ApiSession): string =>
  `${environmentUrl(api)}/api/v2.0/companies(${api.value('company_id')})`;

/** URL of a page of the company that is published as an OData V4 web service: learn.microsoft.com, OData web services. */
export const webServiceUrl = (api: ApiSession, { name }: Company, service: string): string =>
  `${environmentUrl(api)}/ODataV4/Company(${encodeURIComponent(quoted(name))})/${service}`;

export async function readCompany(api: ApiSession): Promise<Company> {
  const { body } = await api.json<Company>({ url: companyUrl(api) });
  return body;
}

/** An OData string literal. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const environmentUrl = (api: ApiSession): string =>
  `${api.value('api_url')}/v2.0/${api.value('tenant_id')}/${api.value('environment')}`;
