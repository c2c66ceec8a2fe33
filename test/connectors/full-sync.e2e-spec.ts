import { describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { AppClient } from '../support/app-client.js';
import { createMember } from '../support/builders.js';
import { connectedWorkspace, type SyncReply } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { ShopifyServer } from './shopify-server.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('a full sync', () => {
  const workspace = connectedWorkspace();
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const other = platformOfEachTest(() => new WooCommerceServer());

  const connect = (to: WooCommerceServer): Promise<string> => workspace.connectAndSettle('woocommerce', to.settings);
  const ask = async (id: string): Promise<SyncReply> => {
    const { status, body } = await workspace.post<SyncReply>(`/${id}/sync`, { full: true });
    expect({ status, body }).toMatchObject({ status: 202, body: { full: true, trigger: 'manual' } });
    return body;
  };
  const readAgain = async (id: string): Promise<SyncReply> => workspace.ended(id, (await ask(id)).id);
  /** Asks for one, and waits until a page of a hundred orders is read and the next one is put off. */
  const readHalfway = async (id: string): Promise<void> => {
    shop.misbehave.push(undefined, { status: 429, headers: { 'retry-after': '600' } });
    await ask(id);
    expect(await workspace.waiting(id)).toMatchObject({ full: true, progress: { pages: 1 } });
  };
  const sellTo101 = (): void => {
    for (let id = 1; id <= 101; id += 1) shop.add(id, id, [['A', 1]]);
  };
  const remove = async (id: string): Promise<void> => {
    expect((await workspace.member.delete(`${workspace.path}/${id}`)).status).toBe(204);
  };

  it('applies the current fields and names to unchanged orders, as no other sync does', async () => {
    shop.add(1, 1, [['A', 10]]);
    shop.add(2, 3_600, [['A', 1]], 'pending');
    shop.add(3, 14_400, [['B', 1]]);
    const id = await connect(shop);
    await workspace.patch(`/${id}`, { settings: { counted_statuses: 'processing,pending' } });
    const renamed = shop.orders.get(1)!;
    renamed.line_items = [{ ...renamed.line_items[0]!, sku: 'A2' }];
    expect(await workspace.sync(id)).toMatchObject({ full: false, progress: { orders_changed: 0 } });
    expect(await readAgain(id)).toMatchObject({
      status: 'completed',
      progress: { orders_read: 3, orders_changed: 2 },
    });
    const sold = { A: { '2026-10-15': 1 }, A2: { '2026-10-15': 10 }, B: { '2026-10-15': 1 } };
    expect(await workspace.sold()).toEqual(sold);
    expect(await workspace.sync(id)).toMatchObject({ full: false });
    expect(await workspace.sold()).toEqual(sold);
  });

  it('keeps the latest version of an order, however old the ones are that it reads', async () => {
    shop.add(1, 300, [['A', 3]]);
    const id = await connect(shop);
    for (const version of [100, 200]) {
      shop.add(1, version, [['A', version]]);
      expect(await readAgain(id)).toMatchObject({ progress: { orders_read: 1, orders_changed: 0 } });
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
    }
  });

  it('reads again what its own connector has read, and nothing of another', async () => {
    shop.sell('2026-10-15', 'A', 3);
    other.sell('2026-10-15', 'B', 4);
    const [id, otherId] = [await connect(shop), await connect(other)];
    await readAgain(id);
    expect(await workspace.sync(otherId)).toMatchObject({ status: 'completed', full: false });
    expect(await workspace.sync(id)).toMatchObject({ full: false });
  });

  it('leaves another connector as it is, as do changes, new credentials, a failure and the removal of its own', async () => {
    shop.sell('2026-10-15', 'A', 3);
    other.sell('2026-10-15', 'A', 4);
    other.sell('2026-10-20', 'B', 5);
    const [id, otherId] = [await connect(shop), await connect(other)];
    const rows = () =>
      workspace.service.database.query(
        `SELECT connector.*,
            (SELECT jsonb_agg(sync ORDER BY sync.id) FROM connector_syncs sync WHERE sync.connector_id = connector.id) AS syncs,
            (SELECT jsonb_agg(placed ORDER BY placed.external_id) FROM connector_orders placed
              WHERE placed.connector_id = connector.id) AS orders,
            (SELECT jsonb_agg(line ORDER BY line.external_id, line.position) FROM connector_order_lines line
              WHERE line.connector_id = connector.id) AS lines
           FROM connectors connector WHERE connector.id = $1`,
        [otherId],
      );
    const shown = async () => (await workspace.get(`/${otherId}`)).body;
    const before = [await rows(), await shown()];
    expect(before[1]).toMatchObject({ last_synced_at: expect.any(String) });

    shop.orders.delete(1);
    shop.sell('2026-10-16', 'A', 1);
    await workspace.sync(id);
    await readAgain(id);
    await workspace.patch(`/${id}`, { name: 'Renamed', settings: shop.settings, sync_interval_minutes: 60 });
    shop.misbehave.push({ status: 401 });
    expect(await workspace.sync(id)).toMatchObject({ status: 'failed' });
    await workspace.patch(`/${id}`, { settings: shop.settings });
    await workspace.settled(id);
    await workspace.patch(`/${id}`, { enabled: false });
    await remove(id);
    expect([await rows(), await shown()]).toEqual(before);
    expect((await workspace.sold())['B']).toEqual({ '2026-10-20': 5 });
  });

  it('goes on waiting while another connector is read to its end or fails', async () => {
    sellTo101();
    other.sell('2026-10-15', 'B', 4);
    const [id, otherId] = [await connect(shop), await connect(other)];
    await readHalfway(id);
    const waiting = async () => (await workspace.syncs(id))[0];
    const before = await waiting();
    other.sell('2026-10-16', 'B', 5);
    expect(await workspace.sync(otherId)).toMatchObject({ status: 'completed', progress: { orders_changed: 1 } });
    other.misbehave.push({ status: 429, headers: { 'retry-after': '1' } });
    expect(await workspace.sync(otherId)).toMatchObject({ status: 'completed' });
    other.misbehave.push({ status: 401 });
    expect(await workspace.sync(otherId)).toMatchObject({ status: 'failed' });
    expect((await workspace.patch(`/${otherId}`, { enabled: false })).status).toBe(200);
    expect(await waiting()).toEqual(before);
    await workspace.spareWaiting(id);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { orders_read: 101 } });
  });

  it('removes orders no longer shown, and counts them again once they are', async () => {
    shop.sell('2026-09-10', 'A', 1);
    shop.sell('2026-10-15', 'A', 3);
    shop.sell('2026-11-05', 'A', 5);
    const id = await connect(shop);
    const deleted = shop.orders.get(2)!;
    shop.orders.delete(2);
    await workspace.sync(id);
    expect((await workspace.sold())['A']).toHaveProperty('2026-10-15', 3);
    expect((await readAgain(id)).progress).toMatchObject({ orders_read: 2, orders_changed: 1 });
    expect(await workspace.sold()).toEqual({ A: { '2026-09-10': 1, '2026-11-05': 5 } });
    expect(await workspace.demand()).toMatchObject({ A: { '2026-10-01': 0 } });
    shop.orders.set(2, deleted);
    await readAgain(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-09-10': 1, '2026-10-15': 3, '2026-11-05': 5 } });
  });

  it.each<[string, () => void, Record<string, number>]>([
    ['from before the first order shown', () => shop.orders.delete(1), { '2026-09-10': 1, '2026-10-15': 3 }],
    ['when none is shown at all', () => shop.orders.clear(), { '2026-09-10': 1, '2026-10-15': 3 }],
  ])('keeps orders %s', async (_which, hide, days) => {
    shop.sell('2026-09-10', 'A', 1);
    shop.sell('2026-10-15', 'A', 3);
    const id = await connect(shop);
    hide();
    expect(await readAgain(id)).toMatchObject({ status: 'completed', progress: { orders_changed: 0 } });
    expect(await workspace.sold()).toEqual({ A: days });
  });

  it('keeps orders that Shopify may hide because of their age, although an older one entered later is shown', async () => {
    const shopify = await new ShopifyServer().start();
    try {
      const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
      shopify.add({ id: 1, processedAt: daysAgo(90), updatedAt: daysAgo(1), lines: [{ sku: 'A', quantity: 1 }] });
      shopify.add({ id: 2, processedAt: daysAgo(70), lines: [{ sku: 'A', quantity: 2 }] });
      shopify.add({ id: 3, processedAt: daysAgo(30), lines: [{ sku: 'A', quantity: 4 }] });
      const id = await workspace.connectAndSettle('shopify', shopify.settings);
      shopify.orders.delete(2);
      shopify.orders.delete(3);
      await readAgain(id);
      expect(Object.values((await workspace.sold())['A']!)).toEqual([1, 2]);
    } finally {
      await shopify.stop();
    }
  });

  it('counts each order once while it reads', async () => {
    sellTo101();
    const id = await connect(shop);
    for (const order of shop.orders.values()) order.line_items = [{ ...order.line_items[0]!, sku: 'B' }];
    await readHalfway(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1 }, B: { '2026-10-15': 100 } });
    await workspace.spareWaiting(id);
    await workspace.settled(id);
    expect(await workspace.sold()).toEqual({ A: {}, B: { '2026-10-15': 101 } });
  });

  it('is resumed by the next sync when it fails', async () => {
    sellTo101();
    const id = await connect(shop);
    shop.orders.delete(50);
    shop.misbehave.push(undefined, { status: 451 });
    expect(await readAgain(id)).toMatchObject({ status: 'failed', progress: { pages: 1 } });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 101 } });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', full: true });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 100 } });
  });

  it('ends the open sync, whose current page is not stored', async () => {
    sellTo101();
    const id = await connect(shop);
    shop.orders.delete(50);
    let asked: SyncReply | undefined;
    shop.misbehave.push(async () => void (asked = await ask(id)));
    const ended = await workspace.sync(id);
    expect(ended).toMatchObject({ status: 'failed', full: false, error: { code: 'begun_anew' } });
    expect(await workspace.ended(id, asked!.id)).toMatchObject({ status: 'completed', progress: { orders_read: 100 } });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 100 } });
  });

  it('keeps uploads and deletions in months whose orders are unchanged', async () => {
    shop.sell('2026-08-10', 'A', 1);
    shop.sell('2026-09-10', 'A', 2);
    shop.sell('2026-10-15', 'A', 3);
    const id = await connect(shop);
    const api = new Api(workspace.service.url, workspace.workspaceKey);
    await api.upload(workspace.workspaceId, 'unique_id,ds,y\nA,2026-10,20\n');
    const { token } = await createMember(workspace.service.database, workspace.organizationId, 'admin');
    const months = 'series/A/actuals?from=2026-09-01&to=2026-09-01';
    const admin = new AppClient(workspace.service.url, token);
    expect((await admin.delete(`/workspaces/${workspace.workspaceId}/${months}`)).status).toBe(204);
    await readAgain(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-08-10': 1, '2026-10-01': 20 } });
  });

  it('adds nothing to what was kept for the same days of a removed account', async () => {
    shop.sell('2026-08-15', 'A', 5);
    shop.sell('2026-10-15', 'A', 3);
    await remove(await connect(shop));
    const older = shop.orders.get(1)!;
    shop.orders.delete(1);
    const again = await connect(shop);
    shop.orders.set(1, older);
    for (let id = 3; id <= 101; id += 1) shop.add(id, id, [['B', 1]]);
    await readHalfway(again);
    other.sell('2026-08-20', 'A', 1);
    await connect(other);
    expect((await workspace.sold())['A']).toEqual({ '2026-08-15': 5, '2026-08-20': 1, '2026-10-15': 3 });
    await workspace.spareWaiting(again);
    await workspace.settled(again);
    expect(await workspace.sold()).toEqual({
      A: { '2026-08-15': 5, '2026-08-20': 1, '2026-10-15': 3 },
      B: { '2026-10-15': 99 },
    });
  });

  it('is recorded as such, and requested with true or false only', async () => {
    const id = await connect(shop);
    await readAgain(id);
    const [{ details } = { details: undefined }] = await workspace.service.database.query<{ details: unknown }>(
      `SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'connector.sync_requested'`,
      [workspace.organizationId],
    );
    expect(details).toMatchObject({ full: true });
    const refused = await workspace.post(`/${id}/sync`, { full: 'yes' });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ param: 'full', message: 'must be true or false' }] },
    });
  });
});
