import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from './support/builders.js';
import { type CuttableService, startCuttableService } from './support/cuttable.js';

describe('requests while the database is away', () => {
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let process: CuttableService;
  beforeAll(async () => {
    process = await startCuttableService();
    tenant = await createTenant(process.service);
  });
  afterAll(() => process.close());

  const usage = () =>
    fetch(`${process.service.url}/api/v1/usage`, { headers: { 'x-api-key': tenant.organizationKey } });

  it('answer 503 with Retry-After, and are served again once it is back', async () => {
    expect((await usage()).status).toBe(200);
    await process.cut();
    const away = await usage();
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await away.json()).toMatchObject({ code: 'not_ready' });
    const ready = await fetch(`${process.service.url}/health/ready`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '5']);
    await process.mend();
    expect((await usage()).status).toBe(200);
  });
});
