import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../src/platform/clock.js';
import { eventually } from '../support/eventually.js';
import { startTestService } from '../support/test-service.js';
import { connectedWorkspace, LOCAL_PLATFORMS } from './connected.js';
import { ShopifyServer } from './shopify-server.js';
import { WooCommerceServer } from './woocommerce-server.js';

const SECRET = 'hush';
const sign = (body: string, secret: string): string => createHmac('sha256', secret).update(body).digest('base64');

interface Delivery {
  topic: string;
  outcome: string | null;
  body: Buffer | null;
  processed_at: Date | null;
}

describe('the webhook of a connector', () => {
  const workspace = connectedWorkspace({ environment: { PUBLIC_URL: 'https://forecasts.example.com/' } });

  const post = async (
    path: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }> => {
    const reply = await fetch(`${workspace.service.url}/webhooks/connectors/${path}`, {
      method: 'POST',
      body,
      headers,
    });
    const text = await reply.text();
    return { status: reply.status, text: text.replace(/"request_id":"[^"]+"/, '') };
  };
  const deliveries = (id: string): Promise<Delivery[]> =>
    workspace.service.database.query<Delivery & Record<string, unknown>>(
      'SELECT topic, outcome, body, processed_at FROM connector_deliveries WHERE connector_id = $1 ORDER BY id',
      [id],
    );
  const processed = (id: string, count: number): Promise<Delivery[]> =>
    eventually(`${count} notifications are processed`, async () => {
      const all = await deliveries(id);
      return all.length === count && all.every(({ processed_at }) => processed_at !== null) ? all : undefined;
    });

  describe('for Shopify', () => {
    let shop: ShopifyServer;
    let id: string;
    beforeEach(async () => {
      shop = await new ShopifyServer().start();
      id = await workspace.connectAndSettle('shopify', { ...shop.settings, client_secret: SECRET });
    });
    afterEach(() => shop.stop());

    const order = (overrides: Record<string, unknown> = {}): string =>
      JSON.stringify({
        id: 1,
        created_at: '2026-10-05T12:00:00+02:00',
        processed_at: '2026-10-05T12:00:00+02:00',
        updated_at: '2026-10-06T12:00:00+02:00',
        cancelled_at: null,
        test: false,
        line_items: [
          { id: 11, sku: 'A', title: 'Soap', name: 'Soap', quantity: 3, current_quantity: 3, price: '1.00' },
        ],
        refunds: [],
        ...overrides,
      });
    const signed = (body: string, headers: Record<string, string | undefined> = {}) => {
      const all = {
        'content-type': 'application/json',
        'x-shopify-topic': 'orders/updated',
        'x-shopify-shop-domain': 'example.myshopify.com',
        'x-shopify-api-version': '2026-10',
        'x-shopify-webhook-id': randomUUID(),
        'x-shopify-hmac-sha256': sign(body, SECRET),
        ...headers,
      };
      const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return Object.fromEntries(given);
    };
    const send = (body: string, headers: Record<string, string | undefined> = {}, to = id) =>
      post(`shopify/${to}`, body, signed(body, headers));

    it('is shown with its connector', async () => {
      expect((await workspace.get(`/${id}`)).body['webhook_url']).toBe(
        `https://forecasts.example.com/webhooks/connectors/shopify/${id}`,
      );
    });

    it('stores, acknowledges and counts a notification, and does not keep its body', async () => {
      expect(await send(order())).toEqual({ status: 200, text: '' });
      expect(await processed(id, 1)).toMatchObject([{ topic: 'orders/updated', outcome: 'stored', body: null }]);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 3 } });
    });

    it.each([
      { what: 'many notifications', count: 10_000, bytes: 10 },
      { what: 'large notifications', count: 64, bytes: 4 * 1_048_576 },
    ])('accepts no more while too many $what wait', async ({ count, bytes }) => {
      await workspace.service.database.execute(
        `INSERT INTO connector_deliveries
           (organization_id, workspace_id, connector_id, id, key, topic, body, attempts, wake_at, received_at)
         SELECT $1, $2, $3, gen_random_uuid(), nth, 'orders/updated', convert_to(repeat('x', $5), 'UTF8'), 1,
           clock_timestamp() + interval '1 hour', clock_timestamp()
         FROM generate_series(1, $4::int) AS nth`,
        [workspace.organizationId, workspace.workspaceId, id, count, bytes],
      );
      const refused = await fetch(`${workspace.service.url}/webhooks/connectors/shopify/${id}`, {
        method: 'POST',
        body: order(),
        headers: signed(order()),
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
      expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
      expect((await send(order(), { 'x-shopify-hmac-sha256': 'wrong' })).status).toBe(401);
      await workspace.service.database.execute(
        `UPDATE connector_deliveries SET processed_at = clock_timestamp(), outcome = 'ignored', body = NULL
         WHERE connector_id = $1 AND key = '1'`,
        [id],
      );
      expect((await send(order())).status).toBe(200);
    });

    it('leaves records of the newest ten thousand notifications', async () => {
      const { database } = workspace.service;
      await database.execute(
        `INSERT INTO connector_deliveries (organization_id, workspace_id, connector_id, id, key, topic, outcome, attempts,
           wake_at, received_at, processed_at)
         SELECT $1, $2, $3, gen_random_uuid(), nth, 'orders/updated', 'stored', 1, at, at, at
         FROM (SELECT nth, clock_timestamp() - make_interval(mins => nth) AS at FROM generate_series(1, 10002) AS nth) AS processed`,
        [workspace.organizationId, workspace.workspaceId, id],
      );
      await send(order());
      await eventually('two are deleted', async () => {
        const [oldest] = await database.query(
          'SELECT key FROM connector_deliveries WHERE connector_id = $1 ORDER BY processed_at LIMIT 1',
          [id],
        );
        return oldest?.['key'] === '10000' || undefined;
      });
    });

    it('accepts an order with many lines', async () => {
      const line = { sku: 'A', title: 'Soap', quantity: 1, current_quantity: 1, properties: 'x'.repeat(4_000) };
      const line_items = Array.from({ length: 500 }, (_, at) => ({ id: at, ...line }));
      expect(await send(order({ line_items }))).toEqual({ status: 200, text: '' });
      await processed(id, 1);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 500 } });
    });

    it('stores nothing when its connector is removed at that moment', async () => {
      let sent: ReturnType<typeof send> | undefined;
      await workspace.service.database.transaction(async (tx) => {
        await tx.execute('DELETE FROM connectors WHERE id = $1', [id]);
        sent = send(order());
        await eventually('the notification waits for the removal', async () => {
          const waiting = await workspace.service.database.query(
            `SELECT FROM pg_stat_activity
              WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE '%connector_deliveries%'`,
          );
          return waiting.length > 0 || undefined;
        });
      });
      expect(await sent).toEqual({ status: 200, text: '' });
      expect(await deliveries(id)).toEqual([]);
    });

    it('changes nothing when a notification is repeated, late, or already synced', async () => {
      const once = { 'x-shopify-event-id': 'event-1' };
      await send(order(), once);
      await send(order(), once);
      await processed(id, 1);
      await send(order({ updated_at: '2026-10-05T13:00:00+02:00', line_items: [] }));
      expect((await processed(id, 2)).map(({ outcome }) => outcome)).toEqual(['stored', 'unchanged']);
      shop.add({
        id: 1,
        processedAt: '2026-10-05T10:00:00Z',
        updatedAt: '2026-10-06T10:00:00Z',
        lines: [{ sku: 'A', quantity: 3 }],
      });
      expect((await workspace.sync(id)).progress).toMatchObject({ orders_read: 1, orders_changed: 0 });
      expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 3 } });
    });

    it('deducts cancellations and refunds', async () => {
      await send(order());
      await processed(id, 1);
      const refunds = [{ created_at: '2026-10-07', refund_line_items: [{ line_item_id: 11, quantity: 2 }] }];
      const line_items = [{ id: 11, sku: 'A', title: 'Soap', name: 'Soap', quantity: 3, price: '1.00' }];
      await send(order({ updated_at: '2026-10-07T12:00:00Z', line_items, refunds }));
      await processed(id, 2);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 1 } });
      await send(order({ updated_at: '2026-10-08T12:00:00Z', cancelled_at: '2026-10-08T12:00:00Z' }));
      await processed(id, 3);
      expect(await workspace.sold()).toEqual({ A: {} });
    });

    it('deletes an order only if the body describes a deletion, whatever the topic says', async () => {
      await send(order());
      await processed(id, 1);
      await send(order(), { 'x-shopify-topic': 'orders/delete' });
      await processed(id, 2);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 3 } });
      await send('{"id":1}', { 'x-shopify-topic': 'orders/delete' });
      expect((await processed(id, 3)).map(({ outcome }) => outcome)).toEqual(['stored', 'unchanged', 'stored']);
      expect(await workspace.sold()).toEqual({ A: {} });
    });

    it('deducts nothing when configured to leave the lines out', async () => {
      await send(order());
      await processed(id, 1);
      await send(order({ line_items: undefined }));
      expect((await processed(id, 2)).map(({ outcome }) => outcome)).toEqual(['stored', 'ignored']);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 3 } });
    });

    it('refuses an unknown connector, another platform, shop or secret, and missing headers alike', async () => {
      const body = order();
      const refusals = await Promise.all([
        send(body, {}, '019a8f3c-0000-7000-8000-000000000001'),
        send(body, {}, 'nonsense'),
        post(`woocommerce/${id}`, body, { 'x-wc-webhook-signature': sign(body, SECRET) }),
        post(`nonsense/${id}`, body, {}),
        send(body, { 'x-shopify-hmac-sha256': sign(body, 'another') }),
        send(body, { 'x-shopify-hmac-sha256': undefined }),
        send(`${body} `, { 'x-shopify-hmac-sha256': sign(body, SECRET) }),
        send(body, { 'x-shopify-shop-domain': 'another.myshopify.com' }),
        send(body, { 'x-shopify-topic': undefined }),
        send(body, { 'x-shopify-webhook-id': undefined }),
        send(body, { 'x-shopify-event-id': randomBytes(4_000).toString('hex') }),
        send(''),
      ]);
      expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
      expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([401]));
      expect(refusals[0].text).toContain('signature_invalid');
      expect(await deliveries(id)).toEqual([]);
    });

    it('accepts the signature of the known example', async () => {
      const signature = { 'x-shopify-hmac-sha256': 'VnKUjZsLuN5iZWjn5EntcBVCF9kMN43LglzCE1/GSeY=' };
      expect((await send('{"id":1}', signature)).status).toBe(200);
      expect(await processed(id, 1)).toMatchObject([{ outcome: 'ignored' }]);
    });

    it('accepts the previous secret for an hour after it was replaced', async () => {
      await workspace.patch(`/${id}`, { settings: { client_secret: 'a new secret' } });
      expect((await send(order())).status).toBe(200);
      const body = order({ id: 2 });
      expect((await send(body, { 'x-shopify-hmac-sha256': sign(body, 'a new secret') })).status).toBe(200);
      await workspace.patch(`/${id}`, { settings: { client_secret: 'an even newer secret' } });
      expect((await send(order())).status).toBe(401);
    });

    it('refuses the previous secret after that hour', async () => {
      await workspace.patch(`/${id}`, { settings: { client_secret: 'a new secret' } });
      const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
      const now = jest.spyOn(workspace.service.app.get(Clock), 'now');
      try {
        now.mockImplementation(() => inMinutes(59));
        expect((await send(order())).status).toBe(200);
        now.mockImplementation(() => inMinutes(61));
        expect((await send(order({ id: 2 }))).status).toBe(401);
      } finally {
        now.mockRestore();
      }
    });

    it('acknowledges what is unreadable or not an order, and tries it once', async () => {
      await send(JSON.stringify({ id: 9 }), { 'x-shopify-topic': 'app/uninstalled' });
      await send('not JSON');
      await send(order({ line_items: [null] }));
      const outcomes = (await processed(id, 3)).map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['ignored', 'malformed_reply', 'malformed_reply']);
    });

    it('stores nothing while its connector is disabled', async () => {
      await workspace.patch(`/${id}`, { enabled: false });
      expect((await send(order())).status).toBe(200);
      expect(await deliveries(id)).toEqual([]);
    });
  });

  describe('for WooCommerce', () => {
    let shop: WooCommerceServer;
    let id: string;
    beforeEach(async () => {
      shop = await new WooCommerceServer().start();
      id = await workspace.connectAndSettle('woocommerce', { ...shop.settings, webhook_secret: SECRET });
    });
    afterEach(() => shop.stop());
    const send = (value: unknown, topic = 'order.updated', delivery: string = randomUUID()) => {
      const body = JSON.stringify(value);
      return post(`woocommerce/${id}`, body, {
        'content-type': 'application/json',
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-delivery-id': delivery,
        'x-wc-webhook-signature': sign(body, SECRET),
      });
    };

    it('answers the unsigned ping sent on creation', async () => {
      const ping = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(await post(`woocommerce/${id}`, 'webhook_id=12', ping)).toEqual({ status: 200, text: '' });
      expect((await post(`woocommerce/${id}`, 'webhook_id=12&order=1', ping)).status).toBe(401);
      expect((await post(`shopify/${id}`, 'webhook_id=12', ping)).status).toBe(401);
      expect(await deliveries(id)).toEqual([]);
    });

    it('counts orders minus refunds, once, and removes deleted ones', async () => {
      const order = shop.add(7, 1, [['A', 5]]);
      order.refunds = [{ id: 1 }];
      shop.refunds.set(7, [{ line: 70, quantity: 2 }]);
      await send(order, 'order.created', 'once');
      await send(order, 'order.created', 'once');
      await processed(id, 1);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
      await send(order, 'order.deleted'); // a captured body under another topic, which is not signed
      await processed(id, 2);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
      shop.orders.delete(7);
      await send({ id: 7 }, 'order.deleted');
      await processed(id, 3);
      expect(await workspace.sold()).toEqual({ A: {} });
    });

    it('counts lines that are changed and changed back, although the order keeps its date', async () => {
      const order = shop.add(7, 1, [['A', 10]]);
      for (const [at, quantity] of [10, 7, 10].entries()) {
        order.line_items[0]!.quantity = quantity;
        await send(order);
        await processed(id, at + 1);
        expect(await workspace.sold()).toEqual({ A: { '2026-10-15': quantity } });
      }
    });

    it('leaves an order to the next sync when an error arrives in its place', async () => {
      await send({ code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: { status: 404 } });
      expect(await processed(id, 1)).toMatchObject([{ outcome: 'ignored', body: null }]);
    });

    it('counts again what a deleted refund had deducted, although its order has not changed', async () => {
      const order = shop.add(7, 1, [['A', 5]]);
      order.refunds = [{ id: 1 }];
      shop.refunds.set(7, [{ line: 70, quantity: 2 }]);
      await send(order);
      await processed(id, 1);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
      order.refunds = [];
      await send(order);
      await processed(id, 2);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 5 } });
    });

    it('removes a trashed order, and counts a restored one before its notification', async () => {
      const order = shop.add(7, 1, [['A', 5]]);
      await send(order, 'order.created');
      await processed(id, 1);
      Object.assign(order, { status: 'trash', date_modified_gmt: '2026-11-02T00:00:00' });
      await send({ id: 7 }, 'order.deleted');
      await processed(id, 2);
      expect(await workspace.sold()).toEqual({ A: {} });
      Object.assign(order, { status: 'processing', date_modified_gmt: '2026-11-03T00:00:00' });
      await send(order, 'order.restored');
      await processed(id, 3);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 5 } });
      // trashed and restored once more by the time the shop sends its notification
      order.date_modified_gmt = '2026-11-04T00:00:00';
      shop.misbehave.push({ status: 503 });
      await send({ id: 7 }, 'order.deleted');
      await eventually('it is tried', () => Promise.resolve(shop.misbehave.length === 0 || undefined));
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 5 } });
      await workspace.service.database.execute(
        'UPDATE connector_deliveries SET wake_at = clock_timestamp() WHERE connector_id = $1 AND attempts > 0',
        [id],
      );
      expect((await processed(id, 4)).map(({ outcome }) => outcome)).toEqual([
        'stored',
        'stored',
        'stored',
        'unchanged',
      ]);
      await send(order, 'order.restored');
      await processed(id, 5);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 5 } });
    });
  });

  it('stores nothing on a retry after its connector was disabled', async () => {
    const shop = await new WooCommerceServer().start();
    const id = await workspace.connectAndSettle('woocommerce', { ...shop.settings, webhook_secret: SECRET });
    shop.misbehave.push({ status: 503 });
    const body = JSON.stringify({ ...shop.add(1, 10, [['A', 1]]), refunds: [{ id: 1 }] });
    await post(`woocommerce/${id}`, body, {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-signature': sign(body, SECRET),
    });
    await eventually('it is tried', () => Promise.resolve(shop.misbehave.length === 0 || undefined));
    await workspace.patch(`/${id}`, { enabled: false });
    await eventually('it is tried again', async () => {
      await workspace.service.database.execute(
        'UPDATE connector_deliveries SET wake_at = clock_timestamp() WHERE connector_id = $1',
        [id],
      );
      return (await deliveries(id))[0]?.processed_at ?? undefined;
    });
    expect(await processed(id, 1)).toMatchObject([{ outcome: 'ignored', body: null }]);
    expect(await workspace.sold()).toEqual({});
    await shop.stop();
  });

  it('stores nothing when its connector is disabled while the order is read', async () => {
    const shop = await new WooCommerceServer().start();
    const id = await workspace.connectAndSettle('woocommerce', { ...shop.settings, webhook_secret: SECRET });
    shop.misbehave.push(async () => {
      await workspace.patch(`/${id}`, { enabled: false });
      return undefined;
    });
    const body = JSON.stringify({ ...shop.add(1, 10, [['A', 1]]), refunds: [{ id: 1 }] });
    await post(`woocommerce/${id}`, body, {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-signature': sign(body, SECRET),
    });
    expect(await processed(id, 1)).toMatchObject([{ outcome: 'ignored', body: null }]);
    expect(await workspace.sold()).toEqual({});
    await shop.stop();
  });

  it('of a hanging shop does not delay other shops', async () => {
    const hanging = await new WooCommerceServer().start();
    const slow = await workspace.connectAndSettle('woocommerce', { ...hanging.settings, webhook_secret: SECRET });
    const other = await new WooCommerceServer().start();
    const quick = await workspace.connectAndSettle('woocommerce', { ...other.settings, webhook_secret: SECRET });
    hanging.misbehave.push('hang', 'hang');
    const send = (id: string, order: unknown) => {
      const body = JSON.stringify(order);
      return post(`woocommerce/${id}`, body, {
        'content-type': 'application/json',
        'x-wc-webhook-topic': 'order.updated',
        'x-wc-webhook-signature': sign(body, SECRET),
      });
    };
    const asked = hanging.requests.length;
    await send(slow, { ...hanging.add(1, 10, [['A', 1]]), refunds: [{ id: 1 }] });
    await eventually('the shop hangs', () => Promise.resolve(hanging.requests.length > asked ? true : undefined));
    await send(quick, other.add(2, 10, [['B', 1]]));
    await processed(quick, 1);
    expect(hanging.brokenOff).toBe(0); // it hangs still
    await Promise.all([hanging.stop(), other.stop()]);
  });

  it('answers 503 while the service does not know its public URL', async () => {
    const closed = await startTestService({ environment: LOCAL_PLATFORMS });
    const reply = await fetch(`${closed.url}/webhooks/connectors/woocommerce/any`, {
      method: 'POST',
      body: 'webhook_id=1',
    });
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([503, 'public_url_not_configured']);
    await closed.close();
  });
});
