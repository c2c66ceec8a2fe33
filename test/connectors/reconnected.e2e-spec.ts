import { describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { WooCommerceServer, type WooOrder } from './woocommerce-server.js';

describe('a reconnected account', () => {
  const workspace = connectedWorkspace();
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const other = platformOfEachTest(() => new WooCommerceServer());
  const third = platformOfEachTest(() => new WooCommerceServer());

  const connect = (to: WooCommerceServer, input: Record<string, unknown> = {}): Promise<string> =>
    workspace.connectAndSettle('woocommerce', to.settings, { time_zone: 'UTC', ...input });
  const remove = async (id: string): Promise<void> => {
    expect((await workspace.member.delete(`${workspace.path}/${id}`)).status).toBe(204);
  };
  const change = (order: WooOrder, changes: Partial<WooOrder>): void => {
    Object.assign(order, { date_modified_gmt: '2026-11-02T00:00:00' }, changes);
  };
  /** Connects the shop, and waits until a page of a hundred orders is read and the next one is put off. */
  const connectHalfway = async (): Promise<string> => {
    shop.misbehave.push(undefined, { status: 429, headers: { 'retry-after': '600' } });
    const id = await workspace.connect('woocommerce', shop.settings, { time_zone: 'UTC' });
    expect(await workspace.waiting(id)).toMatchObject({ progress: { pages: 1 } });
    return id;
  };

  it('counts as before while it cannot be read, and once it is removed again', async () => {
    shop.add(1, 1, [['A', 10]]);
    const order = other.add(2, 2, [['A', 4]]);
    await remove(await connect(shop));
    const stays = await connect(other);
    const mistyped = { ...shop.settings, consumer_secret: 'cs_mistyped' };
    const refused = await workspace.connect('woocommerce', mistyped);
    expect(await workspace.settled(refused)).toMatchObject({ error: { code: 'credentials_refused' } });
    order.line_items[0]!.quantity = 5;
    change(order, {});
    await workspace.sync(stays);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 15 } });
    await remove(refused);
    order.line_items[0]!.quantity = 6;
    change(order, { date_modified_gmt: '2026-11-03T00:00:00' });
    await workspace.sync(stays);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 16 } });
  });

  it('counts as before until all its orders are read, whatever other connectors import meanwhile', async () => {
    for (let id = 1; id <= 101; id += 1) shop.add(id, id, [['A', 1]]);
    await remove(await connect(shop));
    for (const order of shop.orders.values()) order.line_items[0]!.quantity = 2;
    const again = await connectHalfway();
    other.add(1, 1, [['A', 1_000]]);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1_101 } });
    await workspace.spareWaiting(again);
    expect(await workspace.settled(again)).toMatchObject({ status: 'completed' });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1_202 } });
  });

  it('counts as before when its connector is removed again before all orders are read', async () => {
    for (let id = 1; id <= 101; id += 1) shop.add(id, id, [['A', 1]]);
    await remove(await connect(shop));
    shop.orders.get(1)!.line_items.push({ ...shop.orders.get(1)!.line_items[0]!, sku: 'B' });
    const again = await connectHalfway();
    await remove(again);
    other.add(1, 1, [
      ['A', 1_000],
      ['B', 1_000],
    ]);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1_101 }, B: { '2026-10-15': 1_000 } });
    await connect(shop);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1_101 }, B: { '2026-10-15': 1_001 } });
  });

  it.each<[string, Partial<WooOrder>, Record<string, unknown>, unknown]>([
    ['by the days of another time zone', {}, { time_zone: 'Asia/Tokyo' }, { A: { '2026-11-01': 7 } }],
    ['without what was cancelled meanwhile', { status: 'cancelled' }, {}, { A: {} }],
    ['without what is no longer shown as sold', { line_items: [] }, {}, { A: {} }],
  ])('counts %s', async (_what, changes, input, sold) => {
    const order = shop.add(1, 1, [['A', 7]]);
    order.date_created_gmt = '2026-10-31T23:30:00';
    await remove(await connect(shop));
    change(order, changes);
    await connect(shop, input);
    expect(await workspace.sold()).toEqual(sold);
  });

  it('counts a SKU renamed meanwhile under its new name only, and names the series', async () => {
    const order = shop.add(1, 1, [['A', 7]]);
    await remove(await connect(shop));
    order.line_items = [{ ...order.line_items[0]!, sku: 'B', name: 'Product B' }];
    await connect(shop);
    expect(await workspace.sold()).toEqual({ A: {}, B: { '2026-10-15': 7 } });
    expect(await workspace.demand()).toMatchObject({ A: { '2026-10-01': 0 } });
    const api = new Api(workspace.service.url, workspace.workspaceKey);
    expect((await api.get('/series/B')).body).toMatchObject({ product_name: 'Product B' });
  });

  it('counts as before for the time from which its platform no longer shows orders', async () => {
    shop.sell('2026-08-15', 'A', 5);
    shop.sell('2026-10-15', 'A', 3);
    await remove(await connect(shop));
    shop.orders.delete(1);
    await connect(shop);
    other.sell('2026-08-20', 'A', 1);
    other.sell('2026-10-20', 'A', 1);
    await connect(other);
    expect(await workspace.sold()).toEqual({
      A: { '2026-08-15': 5, '2026-08-20': 1, '2026-10-15': 3, '2026-10-20': 1 },
    });
  });

  it('counts its own orders anew, in place of what it had counted for their time, and of no other account', async () => {
    shop.sell('2026-08-15', 'A', 5);
    shop.sell('2026-10-15', 'A', 3);
    other.sell('2026-10-20', 'A', 4);
    third.sell('2026-08-10', 'A', 1);
    for (const former of [shop, other]) await remove(await connect(former));
    await connect(third);
    shop.orders.delete(1);
    const order = shop.orders.get(2)!;
    order.line_items[0]!.quantity = 6;
    change(order, {});
    await connect(shop);
    expect(await workspace.sold()).toEqual({
      A: { '2026-08-10': 1, '2026-08-15': 5, '2026-10-15': 6, '2026-10-20': 4 },
    });
  });

  it('counts as before when its platform shows no orders at all', async () => {
    shop.add(1, 1, [['A', 3]]);
    await remove(await connect(shop));
    shop.orders.clear();
    await connect(shop);
    other.add(1, 1, [['A', 1]]);
    await connect(other);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 4 } });
  });

  it('keeps uploaded demand until all its orders are read', async () => {
    for (let id = 1; id <= 101; id += 1) shop.add(id, id, [['A', 1]]);
    await remove(await connect(shop));
    const upload = 'unique_id,ds,y\nB,2026-10,20\n';
    await new Api(workspace.service.url, workspace.workspaceKey).upload(workspace.workspaceId, upload);
    shop.orders.get(1)!.line_items.push({ ...shop.orders.get(1)!.line_items[0]!, sku: 'B' });
    const again = await connectHalfway();
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 101 }, B: { '2026-10-01': 20 } });
    await workspace.spareWaiting(again);
    await workspace.settled(again);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 101 }, B: { '2026-10-15': 1 } });
  });

  it('recounts any number of series', async () => {
    const skus = Array.from({ length: 450 }, (_, at) => `A${at}`);
    const order = shop.add(
      1,
      1,
      skus.map((sku) => [sku, 2]),
    );
    await remove(await connect(shop));
    order.line_items = order.line_items.slice(225).map((line) => ({ ...line, quantity: 3 }));
    await connect(shop);
    const expected = skus.map((sku, at) => [sku, at < 225 ? {} : { '2026-10-15': 3 }] as const);
    expect(await workspace.sold()).toEqual(Object.fromEntries(expected));
    const emptied = skus.slice(0, 225).map((sku) => [sku, { '2026-10-01': 0 }] as const);
    expect(await workspace.demand()).toMatchObject(Object.fromEntries(emptied));
  });
});
