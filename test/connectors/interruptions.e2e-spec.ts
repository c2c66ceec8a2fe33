import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { leaseSync, releaseSync, renewLease } from '../../src/connectors/sync/sync-work.queries.js';
import { createTestDatabase, type TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { Connected, LOCAL_PLATFORMS, type SyncReply } from './connected.js';
import { ShopifyServer } from './shopify-server.js';

describe('syncs across several processes', () => {
  let database: TestDatabase;
  let api: TestService;
  let shop: ShopifyServer;
  let workspace: Connected;
  const processes: ServiceProcess[] = [];
  const workers: TestService[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    api = await startTestService({ database, role: 'api', environment: LOCAL_PLATFORMS });
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });
  beforeEach(async () => {
    shop = await new ShopifyServer().start();
    workspace = await Connected.create(api);
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((worker) => worker.end('SIGKILL')));
    for (const worker of workers.splice(0)) await worker.close();
    await shop.stop();
  });

  /** Shares nothing with others but the database, as if it were another process, and starts in a tenth of the time. */
  async function startWorker(): Promise<void> {
    workers.push(await startTestService({ database, role: 'worker', environment: LOCAL_PLATFORMS }));
  }
  /** That can be killed. */
  function startWorkerProcess(): ServiceProcess {
    const worker = startServiceProcess(
      {
        DATABASE_URL: database.url,
        DATA_DIR: api.settings.DATA_DIR,
        ENCRYPTION_KEY: api.settings.ENCRYPTION_KEY!,
        API_KEY_PEPPER: api.settings.API_KEY_PEPPER!,
        PORT: '0',
        WORKER_THREADS: '1',
        LOG_LEVEL: 'warn',
        ...LOCAL_PLATFORMS,
      },
      ['--role=worker'],
    );
    processes.push(worker);
    return worker;
  }

  it('continue where a killed process stopped, without losing or duplicating anything', async () => {
    const orders = 500;
    for (let id = 1; id <= orders; id += 1) {
      const processedAt = new Date(Date.UTC(2026, 8, 1, 0, id)).toISOString();
      shop.add({
        id,
        processedAt,
        lines: [
          { sku: 'A', quantity: 1 },
          { sku: `B${id % 7}`, quantity: 2 },
        ],
      });
    }
    const id = await workspace.connect('shopify', shop.settings);
    const pages = async (): Promise<number> => (await workspace.syncs(id))[0]?.progress.pages ?? 0;
    for (const killedAt of [1, 5]) {
      const worker = startWorkerProcess();
      await eventually(`page ${killedAt} is read`, async () => (await pages()) >= killedAt || undefined);
      await worker.end('SIGKILL');
    }
    await startWorker();
    const sync = await workspace.settled(id);
    expect(sync).toMatchObject({ status: 'completed', trigger: 'schedule', progress: { orders_changed: orders } });
    expect(await workspace.syncs(id)).toHaveLength(1);
    const sold = await workspace.sold();
    const total = (sku: string): number => Object.values(sold[sku]!).reduce((sum, quantity) => sum + quantity, 0);
    expect(total('A')).toBe(orders);
    expect([0, 1, 2, 3, 4, 5, 6].reduce((sum, b) => sum + total(`B${b}`), 0)).toBe(2 * orders);
    const [counted] = await api.database.query<{ orders: number; lines: number }>(
      `SELECT (SELECT count(*) FROM connector_orders WHERE connector_id = $1)::int AS orders,
              (SELECT count(*) FROM connector_order_lines WHERE connector_id = $1)::int AS lines`,
      [id],
    );
    expect(counted).toEqual({ orders, lines: 2 * orders });
  });

  it('start once per tick', async () => {
    await startWorker();
    await startWorker();
    const shops = Array.from({ length: 6 }, (_, at) => ({ ...shop.settings, shop: `${at}.myshopify.com` }));
    const ids = await Promise.all(shops.map((own) => workspace.connect('shopify', own)));
    const ticks = 3;
    for (let tick = 1; tick <= ticks; tick += 1) {
      for (const id of ids) await workspace.settled(id);
      if (tick === ticks) break;
      await api.database.execute(
        `UPDATE connectors SET next_sync_at = clock_timestamp() - interval '3 hours' WHERE workspace_id = $1`,
        [workspace.workspaceId],
      );
      for (const id of ids)
        await eventually('the next has started', async () => (await workspace.syncs(id)).length > tick || undefined);
    }
    for (const id of ids) {
      const syncs = await workspace.syncs(id);
      expect(syncs.map(({ trigger, status, progress }) => [trigger, status, progress.pages])).toEqual(
        Array.from({ length: ticks }, () => ['schedule', 'completed', 1]),
      );
    }
    expect(shop.requests).toHaveLength(ids.length * ticks);
  });

  it('are free for the next at once when a lease is renewed after its release', async () => {
    await workspace.post(`/${await workspace.connect('shopify', shop.settings)}/sync`);
    const sync = (await leaseSync(api.database, 600_000))!;
    expect(await renewLease(api.database, sync, 600_000)).toBe(true);
    await releaseSync(api.database, sync, { waitMs: 0, failures: 0, error: null });
    expect(await renewLease(api.database, sync, 600_000)).toBe(false);
    const kept = await api.database.query('SELECT lease_expires_at FROM connector_syncs WHERE id = $1', [sync.id]);
    expect(kept).toEqual([{ lease_expires_at: null }]);
  });

  it('are given up when no process survives a page, and restarted by the next', async () => {
    const id = await workspace.connect('shopify', shop.settings);
    shop.add({ id: 1, processedAt: '2026-09-01T00:00:00Z', lines: [{ sku: 'A', quantity: 1 }] });
    const { body: opened } = await workspace.post<SyncReply>(`/${id}/sync`);
    const others = await api.database.query<{ id: string }>('SELECT id FROM connector_syncs WHERE connector_id <> $1', [
      id,
    ]);
    const atHand = others.map((other) => other.id);
    const begun = [];
    for (let death = 1; death <= 6; death += 1) begun.push((await leaseSync(api.database, 0, atHand))?.failures);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    await startWorker();
    const error = { code: 'broken_off' };
    expect(await workspace.ended(id, opened.id)).toMatchObject({ status: 'failed', error, progress: { pages: 0 } });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-09-01': 1 } });
  });

  it('renew a token once when many find it expired', async () => {
    const grant = { client_id: 'the-client', client_secret: 'the-client-secret', refresh_token: shop.refreshToken };
    const id = await workspace.connect('shopify', { ...shop.settings, ...grant });
    shop.token = 'the token has expired';
    await startWorker();
    const tried = await Promise.all(Array.from({ length: 6 }, () => workspace.post(`/${id}/test`)));
    expect(tried.map(({ body }) => body['ok'])).toEqual(tried.map(() => true));
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed' });
    expect(shop.refreshes).toBe(1);
    expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
  });
});

describe('a sync in progress when the service stops', () => {
  it('is aborted at once, however slow its platform, and counts no failure', async () => {
    const database = await createTestDatabase();
    const service = await startTestService({ database, environment: LOCAL_PLATFORMS });
    const shop = await new ShopifyServer().start();
    shop.misbehave.push('hang');
    const workspace = await Connected.create(service);
    await workspace.connect('shopify', shop.settings);
    await eventually('the shop is asked', () => Promise.resolve(shop.requests.length > 0 || undefined));
    const began = performance.now();
    await service.close();
    const took = performance.now() - began;
    const later = await startTestService({ database, role: 'api', environment: LOCAL_PLATFORMS });
    const syncs = await later.database.query('SELECT status, failures, error, lease_expires_at FROM connector_syncs');
    await Promise.all([later.close(), shop.stop()]);
    await database.drop();
    expect(syncs).toEqual([{ status: 'running', failures: 0, error: null, lease_expires_at: null }]);
    expect(took).toBeLessThan(30_000); // when the sync itself would wait no longer for the answer
  });
});
