import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from './support/builders.js';
import { cuttable } from './support/cuttable.js';
import { createTestDatabase } from './support/databases.js';
import { startTestService, type TestService } from './support/test-service.js';

describe('requests while the database is away', () => {
  let service: TestService;
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let way: Awaited<ReturnType<typeof cuttable>>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    const url = new URL(database.url);
    way = await cuttable(url.hostname, Number(url.port));
    url.port = String(way.port);
    service = await startTestService({
      role: 'api',
      database: { url: url.href, drop: () => database.drop() },
      environment: { LOG_LEVEL: 'silent' },
    });
    tenant = await createTenant(service);
  });
  afterAll(async () => {
    await service.close();
    await way.cut();
  });

  const usage = () => fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': tenant.organizationKey } });

  it('answer 503 with Retry-After, and are served again once it is back', async () => {
    expect((await usage()).status).toBe(200);
    await way.cut();
    const away = await usage();
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await away.json()).toMatchObject({ code: 'not_ready' });
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
    await way.mend();
    expect((await usage()).status).toBe(200);
  });
});
