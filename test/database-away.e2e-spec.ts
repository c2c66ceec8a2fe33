import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isDatabaseUnavailable } from '../src/platform/database/database-faults.js';
import { Database } from '../src/platform/database/database.js';
import { asSystem } from '../src/platform/database/scope.js';
import { createTenant } from './support/builders.js';
import { type CuttableService, startCuttableService } from './support/cuttable.js';
import { withAdmin } from './support/databases.js';
import { eventually } from './support/eventually.js';
import { startTestService } from './support/test-service.js';

const sockets = mkdtempSync(join(tmpdir(), 'forecasting-socket-'));
afterAll(() => rmSync(sockets, { recursive: true }));

describe.each([
  ['a port', undefined],
  ['a Unix socket', sockets],
])('requests while the database, reached by %s, is down', (_way, socketDirectory) => {
  let tenant: Awaited<ReturnType<typeof createTenant>>;
  let process: CuttableService;
  beforeAll(async () => {
    process = await startCuttableService({}, socketDirectory);
    tenant = await createTenant(process.service);
  });
  afterAll(() => process.close());

  const usage = () =>
    fetch(`${process.service.url}/api/v1/usage`, { headers: { 'x-api-key': tenant.organizationKey } });

  it('get 503 with Retry-After, and succeed once it is back', async () => {
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

describe('requests while the database refuses connections', () => {
  it.each([
    ['its role may not log in', 'ALTER ROLE {role} NOLOGIN', 'ALTER ROLE {role} LOGIN'],
    [
      'it accepts no connections',
      'ALTER DATABASE {database} ALLOW_CONNECTIONS false',
      'ALTER DATABASE {database} ALLOW_CONNECTIONS true',
    ],
    [
      'its role may not connect',
      'REVOKE CONNECT ON DATABASE {database} FROM {role}, public',
      'GRANT CONNECT ON DATABASE {database} TO public',
    ],
  ])('get 503 while %s, and succeed again afterwards', async (_why, shut, open) => {
    const service = await startTestService({ role: 'api', environment: { LOG_LEVEL: 'silent' } });
    const database = new URL(service.databaseUrl).pathname.slice(1);
    const role = `${database}_service`;
    const change = (statement: string) =>
      withAdmin((admin) => admin.query(statement.replace('{role}', role).replace('{database}', database)));
    try {
      const { organizationKey } = await createTenant(service);
      const usage = () => fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': organizationKey } });
      await change(shut);
      await change(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'`);
      const refused = await usage();
      expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'not_ready' }]);
      await change(open);
      expect((await usage()).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});

describe('requests whose statements hang', () => {
  it('get 503, and later ones succeed', async () => {
    const bounds = { REQUEST_STATEMENT_SECONDS: '1', WORK_STATEMENT_SECONDS: '1', DATABASE_POOL: '4' };
    const cuttable = await startCuttableService(bounds);
    const { service } = cuttable;
    try {
      const { organizationKey } = await createTenant(service);
      const usage = () => fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': organizationKey } });
      const database = service.app.get(Database);
      const begin = () => asSystem('a test', () => database.transaction((tx) => tx.query('SELECT 1')));
      expect((await usage()).status).toBe(200);
      await Promise.all(Array.from({ length: 4 }, begin)); // as many connections as there may be
      cuttable.swallow();
      const begun = begin().catch((error: unknown) => error);
      expect((await usage()).status).toBe(503);
      expect(isDatabaseUnavailable(await begun)).toBe(true);
      await eventually('a request succeeds', async () => (await usage()).status === 200 || undefined);
    } finally {
      await cuttable.close();
    }
  });
});

describe('database connections that may die silently', () => {
  it('are probed after half a minute of silence', async () => {
    const asked = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const cuttable = await startCuttableService();
    try {
      const port = Number(new URL(cuttable.service.databaseUrl).port);
      await fetch(`${cuttable.service.url}/health/ready`);
      const delays = asked.mock.calls.flatMap(([, delay], call) =>
        (asked.mock.contexts[call] as Socket).remotePort === port ? [delay] : [],
      );
      expect(delays.length).toBeGreaterThan(1); // of the service and of its queue
      for (const delay of delays) expect(delay).toBeGreaterThan(0);
      expect(Math.max(...delays.map(Number))).toBeLessThanOrEqual(30_000);
    } finally {
      asked.mockRestore();
      await cuttable.close();
    }
  });
});
