import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppClient } from '../support/app-client.js';
import { createMember, createSession, createTenant, createUser, TEST_ENCRYPTION_KEY } from '../support/builders.js';
import { listeningUrl, type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('two processes of the API', () => {
  /** Learns of what is changed in the other one; makes what the test needs. */
  let service: TestService;
  const directory = mkdtempSync(join(tmpdir(), 'forecasting-two-'));
  let changing: ServiceProcess;
  let urls: readonly string[];
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let admin: AppClient;
  let operator: AppClient;

  beforeAll(async () => {
    service = await startTestService({ role: 'api' });
    const environment = {
      PORT: '0',
      DATA_DIR: directory,
      DATABASE_URL: service.databaseUrl,
      DEMO: 'off',
      API_KEY_PEPPER: service.settings.API_KEY_PEPPER!,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    };
    changing = startServiceProcess(environment, ['--role', 'api']);
    urls = [await listeningUrl(changing), service.url];
    tenant = await createTenant(service);
    admin = new AppClient(urls[0]!, (await createMember(service.database, tenant.organizationId, 'admin')).token);
    const { id } = await createUser(service.database, { isOperator: true });
    operator = new AppClient(urls[0]!, await createSession(service.database, id));
  });
  afterAll(async () => {
    await changing.end('SIGTERM');
    await service.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** What each process answers to the key, a second after the change made on the first. */
  async function after(change: () => Promise<{ status: number }>): Promise<number[]> {
    const ask = () =>
      Promise.all(
        urls.map(
          async (url) =>
            (await fetch(`${url}/api/v1/usage`, { headers: { 'x-api-key': tenant.organizationKey } })).status,
        ),
      );
    await ask(); // so that both have just read what is about to change
    const made = await change();
    expect(made.status).toBeLessThan(300);
    await sleep(1_000);
    return ask();
  }

  it('apply every change within a second, whichever of them made it', async () => {
    const keys = await admin.get<{ id: string; workspace_id: string | null }[]>(
      `/orgs/${tenant.organizationId}/api-keys`,
    );
    const key = `/orgs/${tenant.organizationId}/api-keys/${keys.body.find((one) => one.workspace_id === null)!.id}`;
    const allow = (ranges: string[]) => admin.patch(`/orgs/${tenant.organizationId}`, { ip_allowlist: ranges });
    const organization = `/admin/orgs/${tenant.organizationId}`;
    const flag = (enabled: boolean) =>
      operator.put('/admin/flags/disable_public_api', { enabled, reason: 'two processes' });
    const seen = {
      allowlist: await after(() => admin.patch(key, { ip_allowlist: ['203.0.113.0/24'] })),
      lifted: await after(() => admin.patch(key, { ip_allowlist: [] })),
      narrowed: await after(() => allow(['203.0.113.0/24'])),
      widened: await after(() => allow([])),
      flag: await after(() => flag(true)),
      cleared: await after(() => flag(false)),
      suspended: await after(() => operator.patch(organization, { suspended: true, reason: 'unpaid' })),
      resumed: await after(() => operator.patch(organization, { suspended: false })),
      lowered: await after(() => operator.patch(organization, { plan: 'free' })),
      raised: await after(() => operator.patch(organization, { plan: 'growth' })),
      revoked: await after(() => admin.delete(key)),
    };
    expect(seen).toEqual({
      allowlist: [403, 403],
      lifted: [200, 200],
      narrowed: [403, 403],
      widened: [200, 200],
      flag: [503, 503],
      cleared: [200, 200],
      suspended: [403, 403],
      resumed: [200, 200],
      lowered: [403, 403],
      raised: [200, 200],
      revoked: [401, 401],
    });
  });
});
