import { describe, expect, it } from '@jest/globals';
import { type LeasedSync, leaseSync, takeDueConnector } from '../../src/connectors/sync/sync-work.queries.js';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { holdRows } from '../support/held-rows.js';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';
import { WooCommerceServer } from './woocommerce-server.js';

const settings = (site_url: string, key = 'the_consumer_key') => ({
  site_url,
  consumer_key: `ck_${key}`,
  consumer_secret: `cs_${key.replace('key', 'secret')}`,
});

/** A shop that answers a request with the former keys when the test lets it. */
class SlowShop extends PlatformServer {
  release: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  constructor(private readonly late: PlatformReply) {
    super();
  }

  protected async answer({ headers }: PlatformRequest): Promise<PlatformReply> {
    const given = Buffer.from((headers['authorization'] ?? '').replace('Basic ', ''), 'base64').toString();
    if (given.startsWith('ck_new')) return { body: [] };
    await this.released;
    return this.late;
  }
}

describe('a connector that is changed during a sync', () => {
  const workspace = connectedWorkspace({}); // asks for whatever is due

  const asked = (shop: PlatformServer) =>
    eventually('the shop is asked', () => Promise.resolve(shop.requests.length > 0 ? true : undefined));

  const ends = (at: string | null) =>
    workspace.service.database.execute('UPDATE organizations SET delete_after = $2 WHERE id = $1', [
      workspace.organizationId,
      at,
    ]);

  /** Looks for work as the service does, when what waits has waited long enough. */
  async function leaseDue(connectorId: string): Promise<LeasedSync | undefined> {
    const { database } = workspace.service;
    await database.execute('UPDATE connector_syncs SET wake_at = now() WHERE connector_id = $1', [connectorId]);
    return leaseSync(database, 1_000);
  }

  it('is retried with its new keys when the old ones are refused', async () => {
    const shop = await new SlowShop({ status: 401, body: {} }).start();
    const id = await workspace.connect('woocommerce', settings(shop.url));
    await asked(shop);
    await workspace.patch(`/${id}`, { settings: settings(shop.url, 'new_key') });
    shop.release();
    await eventually('a sync with the new keys', async () =>
      (await workspace.syncs(id)).some(({ status }) => status === 'completed') ? true : undefined,
    );
    expect((await workspace.get(`/${id}`)).body).toMatchObject({ needs_reconnect: false, reconnect_reason: null });
    await shop.stop();
  });

  it('stores nothing more once it is disabled', async () => {
    const shop = await new WooCommerceServer().start();
    shop.add(1, 10, [['A', 1]]);
    shop.misbehave.push({ status: 429, headers: { 'retry-after': '600' }, body: {} });
    const id = await workspace.connect('woocommerce', settings(shop.url));
    await eventually('the sync waits', async () => (await workspace.syncs(id))[0]?.waiting_until ?? undefined);
    await workspace.patch(`/${id}`, { enabled: false });
    const { length } = shop.requests;
    expect(await leaseDue(id)).toBeUndefined();
    expect(await workspace.syncs(id)).toMatchObject([{ status: 'failed', error: { code: 'switched_off' } }]);
    expect([shop.requests.length, await workspace.sold()]).toEqual([length, {}]);
    await shop.stop();
  });

  it('is deleted with its workspace, which waits for the page being stored', async () => {
    const shop = await new SlowShop({ body: [] }).start();
    const id = await workspace.connect('woocommerce', settings(shop.url));
    await asked(shop);
    const { token } = await createMember(workspace.service.database, workspace.organizationId, 'owner');
    const owner = new AppClient(workspace.service.url, token);
    await using rows = await holdRows(
      workspace.service.database,
      'SELECT FROM connectors WHERE id = $1 FOR NO KEY UPDATE',
      [id],
    );
    shop.release();
    await rows.untilAwaitedBy(1);
    const deletion = owner.delete(`/orgs/${workspace.organizationId}/workspaces/${workspace.workspaceId}`);
    await rows.untilAwaitedBy(2);
    await rows.release();
    expect((await deletion).status).toBe(204);
    await shop.stop();
  });

  it('is not synced automatically once the organization awaits deletion, and is again when that is cancelled', async () => {
    const shop = await new WooCommerceServer().start();
    const id = await workspace.connectAndSettle('woocommerce', settings(shop.url), { enabled: true });
    const before = (await workspace.syncs(id)).length;
    await ends('2199-01-01');
    const { database } = workspace.service;
    await database.execute(`UPDATE connectors SET next_sync_at = now() WHERE id = $1`, [id]);
    expect(await database.transaction((tx) => takeDueConnector(tx))).toBeUndefined();
    expect(await workspace.syncs(id)).toHaveLength(before);
    expect(await workspace.sync(id)).toMatchObject({ trigger: 'manual', status: 'completed' });
    await ends(null);
    await eventually('the next sync', async () => (await workspace.syncs(id)).length > before + 1 || undefined);
    await shop.stop();
  });

  it('holds a scheduled sync that has begun while the organization awaits deletion', async () => {
    const shop = await new WooCommerceServer().start();
    shop.misbehave.push({ status: 429, headers: { 'retry-after': '600' }, body: {} });
    const id = await workspace.connect('woocommerce', settings(shop.url));
    await eventually('the sync waits', async () => (await workspace.syncs(id))[0]?.waiting_until ?? undefined);
    await ends('2199-01-01');
    const { length } = shop.requests;
    expect(await leaseDue(id)).toBeUndefined();
    expect(shop.requests).toHaveLength(length);
    await ends(null);
    expect(await workspace.settled(id)).toMatchObject({ trigger: 'schedule', status: 'completed' });
    await shop.stop();
  });
});
