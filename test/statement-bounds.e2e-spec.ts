import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../src/platform/database/database.js';
import { asSystem, runInScope, withBackgroundTimeout } from '../src/platform/database/scope.js';
import { Api, demandCsv } from './support/api.js';
import { AppClient } from './support/app-client.js';
import { createMember, createSession, createTenant, createUser } from './support/builders.js';
import { startTestService, type TestService } from './support/test-service.js';

describe('a statement that takes too long', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  beforeAll(async () => {
    service = await startTestService({
      environment: {
        REQUEST_STATEMENT_SECONDS: '1',
        WORK_STATEMENT_SECONDS: '600',
        DATABASE_POOL: '2',
        LOG_LEVEL: 'silent',
      },
    });
    tenant = await createTenant(service);
  });
  afterAll(() => service.close());

  /** Runs `work` while nobody else gets at the table; lets go after so many milliseconds, or when the work is done. */
  async function holding<T>(table: string, work: () => Promise<T>, milliseconds?: number): Promise<T> {
    const holder = new pg.Client({ connectionString: service.databaseUrl });
    await holder.connect();
    try {
      await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const letGo =
        milliseconds === undefined ? undefined : setTimeout(() => void holder.query('ROLLBACK'), milliseconds);
      return await work().finally(() => clearTimeout(letGo));
    } finally {
      await holder.end();
    }
  }
  const usage = () => fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': tenant.organizationKey } });

  it('gets 503 with Retry-After, and leaves the connection usable for the next one', async () => {
    const late = await holding('usage_counters', usage);
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await late.json()).toMatchObject({ code: 'not_ready' });
    expect((await usage()).status).toBe(200);
  });

  it('gets 503, too, while credentials are looked up', async () => {
    const token = await createSession(service.database, (await createUser(service.database)).id);
    const me = () => fetch(`${service.url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect((await holding('sessions', me)).status).toBe(503);
    expect((await me()).status).toBe(200);
  });

  it('may take longer in a request that stores demand', async () => {
    const api = new Api(service.url, tenant.workspaceKey);
    await holding('demand', () => api.upload(tenant.workspaceId, demandCsv(1, 3)), 2_000);
    expect((await api.get<unknown[]>('/series')).body).toHaveLength(1);
  });

  it('may take longer when a connector is removed, whose demand is kept and whose orders are deleted', async () => {
    const { token } = await createMember(service.database, tenant.organizationId, 'member');
    const client = new AppClient(service.url, token);
    const path = `/workspaces/${tenant.workspaceId}/connectors`;
    const shop = { shop: 'example.myshopify.com', access_token: 'shpat_1' };
    const made = await client.post<{ id: string }>(path, {
      platform: 'shopify',
      name: 'Shop',
      settings: shop,
      enabled: false,
    });
    const remove = () => client.delete(`${path}/${made.body.id}`);
    expect((await holding('connector_order_lines', remove, 2_000)).status).toBe(204);
  });

  it('may take longer when an operator runs compliance checks, whose evidence would otherwise be an error', async () => {
    const operator = await createUser(service.database, { isOperator: true });
    const client = new AppClient(service.url, await createSession(service.database, operator.id));
    const check = () => client.post<unknown[]>('/admin/compliance/checks', { checks: ['api_keys_rotated'] });
    expect((await holding('api_keys', check, 2_000)).body).toMatchObject([{ status: 'passed' }]);
  });

  it('is cancelled by the scope of each piece of work, whichever connection it gets', async () => {
    const database = service.app.get(Database);
    const bound = async (): Promise<string> =>
      (await database.query<{ statement_timeout: string }>('SHOW statement_timeout'))[0]!.statement_timeout;
    const awaited = { kind: 'system', reason: 'a test', awaited: true } as const;
    for (let round = 0; round < 3; round += 1) {
      expect(await asSystem('a test', bound)).toBe('10min');
      expect(await runInScope(awaited, bound)).toBe('1s');
      expect(await runInScope(awaited, () => asSystem('within it', bound))).toBe('1s');
      expect(await runInScope(awaited, () => withBackgroundTimeout(bound))).toBe('10min');
    }
  });
});
