import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, demandCsv, nextPage } from './support/api.js';
import { AppClient } from './support/app-client.js';
import { createMember, createTenant } from './support/builders.js';
import { startTestService, type TestService } from './support/test-service.js';

/** A proxy in front of a service, which hands on what lies under a path, without that path. */
async function proxyUnder(path: string, target: () => string): Promise<{ server: Server; url: string }> {
  const server = createServer((asked, answer) => {
    if (asked.url?.startsWith(`${path}/`) !== true) return void answer.writeHead(404).end();
    const { method, headers } = asked;
    const onward = request(target() + asked.url.slice(path.length), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}` };
}

describe('a service with a path in its public URL', () => {
  let service: TestService;
  let proxy: { server: Server; url: string };
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let api: Api;
  beforeAll(async () => {
    proxy = await proxyUnder('/planning', () => service.url);
    service = await startTestService({ environment: { PUBLIC_URL: `${proxy.url}/` } });
    tenant = await createTenant(service);
    api = new Api(proxy.url, tenant.workspaceKey);
    await api.upload(tenant.workspaceId, demandCsv(3, 24));
  });
  afterAll(async () => {
    proxy.server.close();
    await service.close();
  });

  const at = (address: string): string => new URL(address, proxy.url).href;

  it('links pages under its path', async () => {
    const seen: string[] = [];
    let next: string | undefined = '/planning/api/v1/series?limit=1';
    while (next !== undefined) {
      const page = await fetch(at(next), { headers: { 'x-api-key': tenant.workspaceKey } });
      expect(page.status).toBe(200);
      seen.push(...((await page.json()) as { unique_id: string }[]).map(({ unique_id }) => unique_id));
      next = nextPage(page.headers);
    }
    expect(seen.toSorted()).toEqual(['P0000', 'P0001', 'P0002']);
  });

  it('returns the location of a run under its path, first and on replay', async () => {
    const start = () => api.post<{ id: string }>('/runs', {}, { 'idempotency-key': 'one run' });
    for (const { status, headers, body } of [await start(), await start()]) {
      const location = headers.get('location') ?? '';
      expect([status, location]).toEqual([202, `/planning/api/v1/runs/${body.id}`]);
      const run = await fetch(at(location), { headers: { 'x-api-key': tenant.workspaceKey } });
      expect(await run.json()).toMatchObject({ id: body.id });
    }
  });

  it.each(['/docs', '/docs/'])('serves the assets and document of the page %s under its path', async (path) => {
    const page = await (await fetch(proxy.url + path)).text();
    const addresses = [...page.matchAll(/(?:href|src|data-document)="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.map((address) => new URL(address, proxy.url + path).pathname)).toContain('/planning/openapi.json');
    for (const address of addresses)
      expect([address, (await fetch(new URL(address, proxy.url + path))).status]).toEqual([address, 200]);
  });

  it('includes its path in the OpenAPI document', async () => {
    const document = (await (await fetch(`${proxy.url}/openapi.json`)).json()) as { servers: { url: string }[] };
    expect(document.servers.map(({ url }) => url)).toEqual(['/planning']);
  });
});

describe('a service without a path in its public URL', () => {
  it('uses plain paths, as does one without a public URL', async () => {
    for (const environment of [{}, { PUBLIC_URL: 'https://forecasts.example.com' }]) {
      const service = await startTestService({ environment });
      try {
        const { organizationId } = await createTenant(service);
        const { token } = await createMember(service.database, organizationId, 'admin');
        const { headers } = await new AppClient(service.url, token).get(`/orgs/${organizationId}/api-keys?limit=1`);
        expect(nextPage(headers)).toMatch(new RegExp(`^/orgs/${organizationId}/api-keys\\?limit=1&cursor=`));
      } finally {
        await service.close();
      }
    }
  });
});
