import { describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import { ShopifyServer } from './shopify-server.js';

describe('a connected Shopify shop', () => {
  const workspace = connectedWorkspace();
  const shop = platformOfEachTest(() => new ShopifyServer());

  it('imports its orders page by page as demand per SKU and day, with product names', async () => {
    for (let id = 1; id <= 120; id += 1) {
      const processedAt = `2026-09-${String(1 + (id % 30)).padStart(2, '0')}T12:00:00Z`;
      shop.add({
        id,
        processedAt,
        lines: [
          { sku: 'A', quantity: 1 },
          { sku: `B${id % 3}`, quantity: 2 },
        ],
      });
    }
    const id = await workspace.connect('shopify', shop.settings);
    expect(await workspace.settled(id)).toMatchObject({
      status: 'completed',
      trigger: 'schedule',
      progress: { pages: 3, orders_read: 120, orders_changed: 120, lines_skipped: 0 },
      error: null,
    });
    const demand = await workspace.sold();
    expect(Object.keys(demand).sort()).toEqual(['A', 'B0', 'B1', 'B2']);
    expect(Object.values(demand['A']!)).toEqual(Array.from({ length: 30 }, () => 4));
    expect(Object.values(demand['B1']!).reduce((sum, quantity) => sum + quantity, 0)).toBe(80);
    const list = await new Api(workspace.service.url, workspace.workspaceKey).get<
      { unique_id: string; product_name: string }[]
    >('/series');
    expect(list.body.find(({ unique_id }) => unique_id === 'A')?.product_name).toBe('Product A');
  });

  it('counts what is left of an order, excluding cancellations, refunds and test orders', async () => {
    const processedAt = '2026-10-05T12:00:00Z';
    shop.add({ id: 1, processedAt, lines: [{ sku: 'A', quantity: 10, currentQuantity: 7 }] });
    shop.add({ id: 2, processedAt, cancelledAt: processedAt, lines: [{ sku: 'A', quantity: 100 }] });
    shop.add({ id: 3, processedAt, test: true, lines: [{ sku: 'A', quantity: 1_000 }] });
    shop.add({
      id: 4,
      processedAt,
      lines: [
        { sku: null, quantity: 3, variant: 77 },
        { sku: ' ', quantity: 5 },
      ],
    });
    const id = await workspace.connect('shopify', shop.settings);
    expect((await workspace.settled(id))?.progress).toMatchObject({ orders_read: 4, lines_skipped: 1 });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 7 }, 'product:77': { '2026-10-05': 3 } });
  });

  it('is asked for changes since ten minutes before the last change, and later versions replace earlier ones', async () => {
    const order = shop.add({
      id: 1,
      processedAt: '2026-10-05T12:00:00Z',
      lines: [
        { sku: 'A', quantity: 5 },
        { sku: 'B', quantity: 1 },
      ],
    });
    const id = await workspace.connectAndSettle('shopify', shop.settings);
    order.updatedAt = '2026-10-09T08:00:00Z';
    order.lines = [{ sku: 'A', quantity: 5, currentQuantity: 2 }];
    shop.add({
      id: 2,
      processedAt: '2026-10-06T12:00:00Z',
      updatedAt: '2026-10-09T07:00:00Z',
      lines: [{ sku: 'A', quantity: 4 }],
    });
    expect((await workspace.sync(id)).progress).toMatchObject({ orders_read: 2, orders_changed: 2 });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 2, '2026-10-06': 4 }, B: {} });
    // read again within the overlap, it changes nothing
    expect((await workspace.sync(id)).progress).toMatchObject({ orders_read: 1, orders_changed: 0 });
    expect(JSON.parse(shop.requests.at(-1)!.body)).toMatchObject({
      variables: { query: `updated_at:>='2026-10-09T07:50:00.000Z'` },
    });
    order.cancelledAt = order.updatedAt = '2026-10-10T08:00:00Z';
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-06': 4 }, B: {} });
  });

  it('handles orders with more lines than a page holds', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => ({ sku: `L${at}`, quantity: 1 }));
    shop.add({ id: 1, processedAt: '2026-10-05T12:00:00Z', lines });
    await workspace.settled(await workspace.connect('shopify', shop.settings));
    expect(Object.keys(await workspace.sold())).toHaveLength(300);
  });

  it.each([
    ['America/New_York', '2026-10-01T03:59:59Z', '2026-09-30'],
    ['America/New_York', '2026-10-01T04:00:00Z', '2026-10-01'],
    ['Asia/Tokyo', '2026-09-30T15:00:00Z', '2026-10-01'],
  ])('in %s sold at %s counts what belongs to %s', async (time_zone, processedAt, day) => {
    shop.add({ id: 1, processedAt, lines: [{ sku: 'A', quantity: 1 }] });
    await workspace.settled(await workspace.connect('shopify', shop.settings, { time_zone }));
    expect(await workspace.sold()).toEqual({ A: { [day]: 1 } });
  });

  it('counts nothing before its start date, and zero in later months without orders', async () => {
    shop.add({ id: 1, processedAt: '2026-07-31T12:00:00Z', lines: [{ sku: 'A', quantity: 9 }] });
    shop.add({ id: 2, processedAt: '2026-08-01T12:00:00Z', lines: [{ sku: 'A', quantity: 1 }] });
    shop.add({ id: 3, processedAt: '2026-10-15T12:00:00Z', lines: [{ sku: 'A', quantity: 2 }] });
    await workspace.settled(await workspace.connect('shopify', shop.settings, { counts_from: '2026-08-01' }));
    const demand = (await workspace.demand())['A']!;
    expect(demand).toMatchObject({ '2026-08-01': 1, '2026-09-01': 0, '2026-10-15': 2 });
    expect(demand['2026-07-31']).toBeUndefined();
    const months = new Set(Object.keys(demand).map((day) => day.slice(0, 7)));
    const now = new Date().toISOString().slice(0, 7);
    expect([...months].filter((month) => month >= now)).toEqual([]); // the month in progress is not over
  });

  it('owns the months with orders and leaves the other months of a series to uploads', async () => {
    const api = new Api(workspace.service.url, workspace.workspaceKey);
    const csv = 'unique_id,ds,y,product_name\nA,2026-07,70,Soap\nA,2026-09,90,Soap\n';
    expect((await api.upload(workspace.workspaceId, csv)).status).toBe(200);
    const order = shop.add({ id: 1, processedAt: '2026-09-10T12:00:00Z', lines: [{ sku: 'A', quantity: 3 }] });
    const id = await workspace.connectAndSettle('shopify', shop.settings);
    expect(await workspace.sold()).toEqual({ A: { '2026-07-01': 70, '2026-09-10': 3 } });
    const list = await api.get<{ product_name: string }[]>('/series');
    expect(list.body[0]?.product_name).toBe('Soap');
    // nothing is left of its orders: the month is known to be empty, not missing
    order.cancelledAt = order.updatedAt = '2026-09-12T12:00:00Z';
    await workspace.sync(id);
    expect((await workspace.demand())['A']).toMatchObject({ '2026-07-01': 70, '2026-09-01': 0 });
  });

  it('adds up with another shop of the workspace', async () => {
    const other = await new ShopifyServer().start();
    const processedAt = '2026-10-05T12:00:00Z';
    shop.add({ id: 1, processedAt, lines: [{ sku: 'A', quantity: 3 }] });
    other.add({ id: 1, processedAt, lines: [{ sku: 'A', quantity: 4 }] });
    await workspace.settled(await workspace.connect('shopify', shop.settings));
    await workspace.settled(
      await workspace.connect('shopify', { ...shop.settings, shop: 'other.myshopify.com', api_url: other.url }),
    );
    await other.stop();
    expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 7 } });
  });

  it('is given time to refill its bucket, before and after it reports an empty one', async () => {
    for (let id = 1; id <= 60; id += 1)
      shop.add({ id, processedAt: '2026-10-05T12:00:00Z', lines: [{ sku: 'A', quantity: 1 }] });
    shop.bucket = 100; // a page costs 500
    const id = await workspace.connect('shopify', shop.settings);
    await eventually('it is asked again', () => Promise.resolve(shop.requests.length > 1 || undefined));
    expect((await workspace.syncs(id))[0]).toMatchObject({ status: 'running', error: null, progress: { pages: 0 } });
    shop.bucket = 600; // enough for one page and not for the next
    await eventually('a page is read', async () => (await workspace.syncs(id))[0]?.progress.pages || undefined);
    shop.bucket = 1_000;
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { pages: 2, orders_read: 60 } });
  });

  it('is read to the end although its bucket never covers a page plus the further lines of all orders', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => ({ sku: `L${at}`, quantity: 1 }));
    for (let id = 1; id <= 3; id += 1) shop.add({ id, processedAt: '2026-10-05T12:00:00Z', lines });
    Object.assign(shop, { bucket: 1_000, refilled: 600, costOfLines: 400 }); // a page costs 500
    const id = await workspace.connect('shopify', shop.settings);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { pages: 1 } });
    expect((await workspace.sold())['L29']).toEqual({ '2026-10-05': 3 });
  });

  it('is asked for smaller pages when a page costs too much', async () => {
    shop.costPerOrder = 30;
    for (let id = 1; id <= 60; id += 1)
      shop.add({ id, processedAt: '2026-10-05T12:00:00Z', lines: [{ sku: 'A', quantity: 1 }] });
    const id = await workspace.connect('shopify', shop.settings);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { orders_read: 60 } });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 60 } });
  });

  it('does not delay other shops, however many pages it has', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => new ShopifyServer().start()));
    shop.costPerOrder = 600; // an order a page
    for (let id = 1; id <= 200; id += 1) {
      for (const endless of [shop, ...others]) {
        endless.costPerOrder = 600;
        endless.add({ id, processedAt: '2026-10-05T12:00:00Z', lines: [{ sku: 'A', quantity: 1 }] });
      }
    }
    for (const [at, endless] of [shop, ...others].entries())
      await workspace.connect('shopify', { ...shop.settings, shop: `${at}.myshopify.com`, api_url: endless.url });
    const small = await new ShopifyServer().start();
    small.add({ id: 1, processedAt: '2026-10-05T12:00:00Z', lines: [{ sku: 'B', quantity: 1 }] });
    const last = await workspace.connect('shopify', {
      ...shop.settings,
      shop: 'small.myshopify.com',
      api_url: small.url,
    });
    await workspace.settled(last);
    const pages = shop.requests.length;
    await Promise.all([small, ...others].map((server) => server.stop()));
    expect(pages).toBeLessThan(200);
  });

  it('is not asked endlessly for the lines of one order', async () => {
    const node = {
      id: 'l',
      sku: 'A',
      title: 't',
      variantTitle: null,
      currentQuantity: 1,
      product: null,
      variant: null,
    };
    const lineItems = { pageInfo: { hasNextPage: true, endCursor: 'the same' }, nodes: [node] };
    const at = '2026-10-05T12:00:00Z';
    const order = { id: 'gid://shopify/Order/1', processedAt: at, updatedAt: at, cancelledAt: null, test: false };
    const orders = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [{ ...order, lineItems }] };
    const attempts = 6; // after which the order is set aside
    for (let attempt = 1; attempt <= attempts; attempt += 1)
      shop.misbehave.push({ body: { data: { orders } } }, { body: { data: { order: { lineItems } } } });
    const id = await workspace.connect('shopify', shop.settings);
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', progress: { orders_set_aside: 1 } });
    expect(shop.requests).toHaveLength(2 * attempts + 1); // the list is read on without it
  });

  it('is asked again for further lines of an order when it returns something else', async () => {
    const line = { sku: 'A', title: 't', variantTitle: null, currentQuantity: 1, product: null, variant: null };
    const last = { hasNextPage: false, endCursor: null };
    const at = '2026-10-05T12:00:00Z';
    const order = { id: 'gid://shopify/Order/1', processedAt: at, updatedAt: at, cancelledAt: null, test: false };
    const lineItems = { pageInfo: { hasNextPage: true, endCursor: '1' }, nodes: [line] };
    const page = { body: { data: { orders: { pageInfo: last, nodes: [{ ...order, lineItems }] } } } };
    const further = { body: { data: { order: { lineItems: { pageInfo: last, nodes: [line] } } } } };
    shop.misbehave.push(page, { body: 'null' }, page, { body: { data: { order: { lineItems: {} } } } }, page, further);
    const id = await workspace.connect('shopify', shop.settings);
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', progress: { lines_skipped: 0 } });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 2 } });
  });

  it('leaves out a malformed order and counts the others of its page', async () => {
    const at = '2026-10-05T12:00:00Z';
    const order = { id: 'gid://shopify/Order/1', processedAt: at, updatedAt: at, cancelledAt: null, test: false };
    const node = { sku: 'A', title: 't', variantTitle: null, currentQuantity: 1, product: null, variant: null };
    const last = { hasNextPage: false, endCursor: null };
    const nodes = [
      { ...order, id: 'gid://shopify/Order/2', lineItems: null },
      { ...order, lineItems: { pageInfo: last, nodes: [node] } },
    ];
    shop.misbehave.push({ body: { data: { orders: { pageInfo: last, nodes } } } });
    const id = await workspace.connect('shopify', shop.settings);
    expect(await workspace.settled(id)).toMatchObject({
      status: 'completed',
      progress: { orders_read: 2, orders_changed: 1, lines_skipped: 1 },
    });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-05': 1 } });
  });

  it('with a short-lived token renews it once and uses the new refresh token next time', async () => {
    const grant = { client_id: 'the-client', client_secret: 'the-client-secret', refresh_token: shop.refreshToken };
    const id = await workspace.connectAndSettle('shopify', { ...shop.settings, ...grant });
    for (const expiry of [1, 2]) {
      shop.token = `expired ${expiry}`;
      expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
      expect(shop.refreshes).toBe(expiry);
    }
    shop.token = 'expired for good';
    shop.refreshToken = 'revoked by the merchant';
    expect(await workspace.sync(id)).toMatchObject({ status: 'failed', error: { code: 'invalid_grant' } });
    expect((await workspace.get(`/${id}`)).body).toMatchObject({
      needs_reconnect: true,
      reconnect_reason: { code: 'invalid_grant' },
      next_sync_at: null,
    });
  });

  it('is connected by an app that may read orders and products, and names missing permissions even before the first order', async () => {
    shop.scopes = ['read_orders'];
    const id = await workspace.connectAndSettle('shopify', shop.settings);
    const lacking = { code: 'access_revoked', message: expect.stringContaining('Grant it read_products') };
    expect((await workspace.syncs(id))[0]).toMatchObject({ status: 'failed', error: lacking });
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, ...lacking });
    shop.scopes = ['read_products'];
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({
      message: expect.stringContaining('Grant it read_orders'),
    });
    shop.scopes = ['read_orders', 'read_products'];
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
  });

  it('without a token gets daily tokens with the app’s credentials, until the app is uninstalled', async () => {
    shop.add({ id: 1, processedAt: '2026-10-15T12:00:00Z', lines: [{ sku: 'A', quantity: 3 }] });
    const { shop: domain, api_url } = shop.settings;
    const client = { client_id: 'the-client', client_secret: 'the-client-secret' };
    const id = await workspace.connect('shopify', { shop: domain, api_url, ...client });
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
    shop.token = 'expired';
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
    expect(shop.refreshes).toBe(2);
    Object.assign(shop, { token: 'expired again', installed: false });
    expect(await workspace.sync(id)).toMatchObject({ status: 'failed', error: { code: 'credentials_refused' } });
    expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(true);
  });

  it('requests a token with a changed client secret, although the previous token is still valid', async () => {
    const { shop: domain, api_url } = shop.settings;
    const client = { client_id: 'the-client', client_secret: 'the-client-secret' };
    const id = await workspace.connectAndSettle('shopify', { shop: domain, api_url, ...client });
    const test = async (settings: Record<string, string>) => {
      await workspace.patch(`/${id}`, { enabled: false, settings });
      return (await workspace.post(`/${id}/test`)).body;
    };
    expect(await test({ client_secret: '********', api_version: '2026-10' })).toMatchObject({ ok: true });
    expect(shop.refreshes).toBe(1);
    expect(await test({ client_secret: 'mistyped', access_token: '********' })).toMatchObject({
      ok: false,
      code: 'invalid_grant',
    });
    expect(await test({ client_secret: 'the-client-secret' })).toMatchObject({ ok: true });
    expect(shop.refreshes).toBe(2);
  });

  it.each([402, 403, 404, 423])('that temporarily issues no token (%i) is read again when it does', async (status) => {
    const { shop: domain, api_url } = shop.settings;
    const client = { client_id: 'the-client', client_secret: 'the-client-secret' };
    const id = await workspace.connectAndSettle('shopify', { shop: domain, api_url, ...client });
    shop.token = 'expired';
    shop.misbehave.push(undefined, { status, body: { errors: 'Unavailable Shop' } });
    expect(await workspace.sync(id)).toMatchObject({ status: 'failed', error: { code: 'request_refused' } });
    expect((await workspace.get(`/${id}`)).body).toMatchObject({
      needs_reconnect: false,
      next_sync_at: expect.any(String),
    });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', error: null });
  });
});
