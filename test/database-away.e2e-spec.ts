import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from './support/builders.js';
import { createTestDatabase } from './support/databases.js';
import { startTestService, type TestService } from './support/test-service.js';

/** A way to a TCP server that can be cut and opened again. */
async function cuttable(host: string, port: number) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from) && to.destroy());
    }
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const at = await listen(0);
  return {
    port: at,
    mend: () => listen(at),
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

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
