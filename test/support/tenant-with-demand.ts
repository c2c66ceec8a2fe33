import { Api } from './api.js';
import { createTenant } from './builders.js';
import type { TestService } from './test-service.js';

export type Tenant = Awaited<ReturnType<typeof createTenant>>;

/** A new tenant that has uploaded demand (CSV), and the API as called with the key of its workspace. */
export async function tenantWithDemand(
  service: Pick<TestService, 'url' | 'database' | 'secrets'>,
  csv: string,
): Promise<{ readonly tenant: Tenant; readonly api: Api }> {
  const tenant = await createTenant(service);
  const api = new Api(service.url, tenant.workspaceKey);
  const { status, body } = await api.upload(tenant.workspaceId, csv);
  if (status !== 200) throw new Error(`the demand was refused: ${JSON.stringify(body)}`);
  return { tenant, api };
}
