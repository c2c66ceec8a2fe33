import { addMember, createApiKey, createSession, createTenant, createUser } from '../../support/builders.js';
import { Api, demandCsv } from '../../support/api.js';
import type { TestService } from '../../support/test-service.js';
import { setFlag } from '../../../src/access/flags/flags.queries.js';
import {
  setOrganizationAllowlist,
  setPlan,
  setSuspension,
} from '../../../src/access/organizations/organizations.queries.js';

/** A tenant with data of its own, whose credentials are recreated when requests invalidate them. */
export interface FuzzTenant {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly operator: boolean;
  /** In every product name: must never be seen by another tenant. */
  readonly marker: string;
  apiKey: string;
  session: string;
}

/** A tenant with demand and a completed run; needs a service that fits. */
export async function seedTenant(
  service: TestService,
  marker: string,
  operator: boolean,
): Promise<{ tenant: FuzzTenant; runId: string }> {
  const { organizationId, workspaceId, organizationKey } = await createTenant(service, { plan: 'scale' });
  const api = new Api(service.url, organizationKey);
  const [header, ...lines] = demandCsv(4, 30).trim().split('\n');
  const csv = [`${header},product_name`, ...lines.map((line) => `${line},${marker} ${line.slice(0, 5)}`)].join('\n');
  const uploaded = await api.upload(workspaceId, csv);
  if (uploaded.status !== 200) throw new Error(`the demand was refused: ${JSON.stringify(uploaded.body)}`);
  const run = await api.run({ workspace_id: workspaceId, config_overrides: { horizon: 4 } });
  const tenant = { organizationId, workspaceId, operator, marker, apiKey: '', session: '' };
  await renewCredentials(service, tenant);
  return { tenant, runId: run.id };
}

/** Fuzzed requests sign out, revoke keys, suspend and switch off; this lets the next ones in again. */
export async function renewCredentials(service: TestService, tenant: FuzzTenant): Promise<void> {
  const user = await createUser(service.database, { isOperator: tenant.operator });
  await addMember(service.database, tenant.organizationId, user.id, 'owner');
  await setSuspension(service.database, tenant.organizationId, null, null);
  await setOrganizationAllowlist(service.database, tenant.organizationId, []);
  await setPlan(service.database, tenant.organizationId, 'scale');
  const off = { name: 'disable_public_api', enabled: false, reason: null } as const;
  await setFlag(service.database, { ...off, changed_by: 'fuzzing', changed_at: new Date() });
  tenant.session = await createSession(service.database, user.id);
  tenant.apiKey = await createApiKey(service, tenant.organizationId);
}
