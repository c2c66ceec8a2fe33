import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from '../support/builders.js';
import { startTestService, type TestService } from '../support/test-service.js';

describe('the request ceiling', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      environment: { REQUESTS_PER_MINUTE: '20', TRUSTED_PROXIES: '127.0.0.0/8' },
    });
  });
  afterAll(() => service.close());

  const call = (headers: Record<string, string>) => fetch(`${service.url}/api/v1/usage`, { headers });
  const statuses = async (times: number, headers: Record<string, string>) => {
    const seen: Record<number, number> = {};
    for (let request = 0; request < times; request += 1) {
      const { status } = await call(headers);
      seen[status] = (seen[status] ?? 0) + 1;
    }
    return seen;
  };

  it('refuses the excess requests of one key with 429 and Retry-After, and no other key’s', async () => {
    const [loud, quiet] = [await createTenant(service), await createTenant(service)];
    expect(await statuses(25, { 'x-api-key': loud.organizationKey })).toEqual({ 200: 20, 429: 5 });
    const refused = await call({ 'x-api-key': loud.organizationKey });
    expect(await refused.json()).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect([...refused.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    expect((await call({ 'x-api-key': quiet.organizationKey })).status).toBe(200);
  });

  it('never refuses monitoring requests', async () => {
    for (let request = 0; request < 25; request += 1) await fetch(`${service.url}/changelog`);
    expect((await fetch(`${service.url}/changelog`)).status).toBe(429);
    for (const path of ['live', 'ready']) expect((await fetch(`${service.url}/health/${path}`)).status).toBe(200);
  });

  it('counts readers of the documentation, which needs no credentials, by address', async () => {
    const from = { 'x-forwarded-for': '198.51.100.9' };
    for (let page = 0; page < 7; page += 1)
      for (const path of ['/openapi.json', '/docs', '/docs/']) await fetch(service.url + path, { headers: from });
    for (const path of ['/openapi.json', '/docs', '/docs/', '/docs/swagger-ui.css']) {
      const refused = await fetch(service.url + path, { headers: from });
      expect([path, refused.status, await refused.json()]).toMatchObject([path, 429, { code: 'too_many_requests' }]);
    }
    const other = { 'x-forwarded-for': '198.51.100.10' };
    expect((await fetch(`${service.url}/openapi.json`, { headers: other })).status).toBe(200);
  });

  it('counts callers without valid credentials by address, which stops key guessing', async () => {
    const guesser = { 'x-forwarded-for': '198.51.100.7', 'x-api-key': 'fk_guess' };
    expect(await statuses(25, guesser)).toEqual({ 401: 20, 429: 5 });
    expect((await call({ ...guesser, 'x-forwarded-for': '198.51.100.8' })).status).toBe(401);
  });

  it('treats the addresses of one subscriber as one', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address, 'x-api-key': 'fk_guess' });
    for (let host = 1; host <= 20; host += 1) await call(from(`2001:db8:0:1::${host}`));
    expect((await call(from('2001:db8:0:1:ffff::'))).status).toBe(429);
    expect((await call(from('2001:db8:0:2::1'))).status).toBe(401);
  });
});
