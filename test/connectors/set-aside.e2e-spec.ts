import { createHmac, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ConnectorInstruments } from '../../src/connectors/connector-instruments.js';
import { SetAsideReader } from '../../src/connectors/sync/set-aside-reader.js';
import { eventually } from '../support/eventually.js';
import { BigCommerceServer } from './bigcommerce-server.js';
import { BusinessCentralServer } from './business-central-server.js';
import { connectedWorkspace, type SyncReply } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import type { PlatformReply, PlatformServer } from './platform-server.js';
import { ShopifyServer } from './shopify-server.js';
import { WooCommerceServer } from './woocommerce-server.js';

const OCTOBER = '2026-10-15';

describe('an order that cannot be read', () => {
  const workspace = connectedWorkspace({ environment: { PUBLIC_URL: 'https://forecasts.example.com/' } });
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const other = platformOfEachTest(() => new WooCommerceServer());
  afterEach(() => void jest.restoreAllMocks());

  /** Has requests about an order answered in this way, once its list has been read. */
  const spoil = (server: PlatformServer, about: RegExp, reply: PlatformReply): void => {
    server.instead = ({ path, body }) => (about.test(path + body) ? reply : undefined);
  };
  const repair = (server: PlatformServer): void => {
    server.instead = undefined;
  };
  const REFUNDS_OF_2 = /\/orders\/2\/refunds$/;
  /** Refuses the refunds of order 2: this is not retried, so tests need not wait. */
  const refuseRefundsOf2 = (): void => spoil(shop, REFUNDS_OF_2, { status: 400 });
  /** Three orders, of which the second has refunds. */
  const sellThree = (): void => {
    for (const id of [1, 2, 3]) shop.add(id, id, [['A', 10 ** (id - 1)]]);
    refund(2, 4);
  };
  const refund = (id: number, quantity: number): void => {
    shop.orders.get(id)!.refunds = [{ id: 1 }];
    shop.refunds.set(id, [{ line: id * 10, quantity }]);
  };
  const date = (id: number, day: string): void => {
    shop.orders.get(id)!.date_modified_gmt = `${day}T00:00:00`;
  };
  const connect = (): Promise<string> => workspace.connect('woocommerce', { ...shop.settings, webhook_secret: 'hush' });
  /** Connects the shop with the three orders and waits for its first sync. */
  const connectWithThree = async (): Promise<string> => {
    sellThree();
    const id = await connect();
    await workspace.settled(id);
    return id;
  };
  const setAside = async (id: string): Promise<Record<string, unknown>[]> =>
    (await workspace.get(`/${id}`)).body['orders_set_aside'] as Record<string, unknown>[];
  const setAsideIds = async (id: string): Promise<unknown[]> => (await setAside(id)).map((order) => order['id']);
  const readAgain = async (id: string): Promise<SyncReply> =>
    workspace.ended(id, (await workspace.post<SyncReply>(`/${id}/sync`, { full: true })).body.id);
  const refundRequests = (): number => shop.requests.filter(({ path }) => REFUNDS_OF_2.test(path)).length;

  it('is set aside after six attempts, and tried again by each sync until it can be read', async () => {
    sellThree();
    spoil(shop, REFUNDS_OF_2, { body: 'Warning: … []' });
    const id = await connect();
    expect(await workspace.settledAtOnce(id)).toMatchObject({
      status: 'completed',
      progress: { orders_read: 2, orders_changed: 2, lines_skipped: 0, orders_set_aside: 1 },
      error: null,
    });
    expect(refundRequests()).toBe(6);
    expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 101 } });
    const [first] = await setAside(id);
    expect(first).toEqual({
      id: '2',
      code: 'malformed_reply',
      message: '127.0.0.1 answered with a body that is not JSON. The request was about order 2.',
      since: expect.any(String),
      last_tried_at: expect.any(String),
    });
    expect((await workspace.get<Record<string, unknown>[]>()).body[0]).toMatchObject({ orders_set_aside: [first] });

    spoil(shop, REFUNDS_OF_2, { body: { items: [] } });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_set_aside: 0 } });
    expect(refundRequests()).toBe(7);
    const [again] = await setAside(id);
    expect(again).toMatchObject({
      since: first!['since'],
      message: 'The platform’s response does not match its documentation. The request was about order 2.',
    });
    expect(String(again!['last_tried_at']) > String(first!['last_tried_at'])).toBe(true);

    repair(shop);
    expect((await workspace.sync(id)).progress).toMatchObject({ orders_changed: 1 });
    expect(await setAside(id)).toEqual([]);
    expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 107 } });
  });

  it('counts as before if it was read before, also after a full sync', async () => {
    const id = await connectWithThree();
    expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 107 } });
    refund(2, 9);
    date(2, '2026-11-02');
    refuseRefundsOf2();
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_set_aside: 1 } });
    expect(await readAgain(id)).toMatchObject({ status: 'completed', progress: { orders_changed: 0 } });
    expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 107 } });
    repair(shop);
    await workspace.sync(id);
    expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 102 } }, []]);
  });

  it('no longer counts, and is no longer set aside, once it is deleted or canceled in the shop', async () => {
    const id = await connectWithThree();
    date(2, '2026-11-02');
    refuseRefundsOf2();
    await workspace.sync(id);
    shop.orders.delete(2);
    expect((await workspace.sync(id)).progress).toMatchObject({ orders_read: 2, orders_changed: 1 });
    expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 101 } }, []]);

    shop.add(2, 86_400, [['A', 10]]).refunds = [{ id: 1 }];
    await workspace.sync(id);
    expect(await setAsideIds(id)).toEqual(['2']);
    shop.orders.get(2)!.status = 'cancelled';
    await workspace.sync(id);
    expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 101 } }, []]);
  });

  it('counts again if the shop shows it again after it was gone', async () => {
    const id = await connectWithThree();
    date(2, '2026-11-02');
    refuseRefundsOf2();
    await workspace.sync(id);
    const gone = shop.orders.get(2)!;
    shop.orders.delete(2);
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 101 } });
    shop.orders.set(2, gone);
    repair(shop);
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 107 } });
  });

  it('is not alone: further ones of the same page are not retried for as long again', async () => {
    for (const id of [1, 2, 3, 4]) shop.add(id, id, [['A', 1]]).refunds = [{ id: 1 }];
    spoil(shop, /\/orders\/[234]\/refunds$/, { status: 500 });
    const id = await connect();
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', progress: { orders_set_aside: 3 } });
    expect(await setAsideIds(id)).toEqual(['2', '3', '4']);
    const about = (order: number): number =>
      shop.requests.filter(({ path }) => path.endsWith(`/${order}/refunds`)).length;
    expect([2, 3, 4].map(about)).toEqual([6, 1, 1]);
  });

  it('stops the sync if a hundred others are set aside, until some of these can be read', async () => {
    const id = await connectWithThree();
    await workspace.service.database.execute(
      `INSERT INTO connector_orders_set_aside
         (organization_id, workspace_id, connector_id, external_id, code, message, since, tried_at)
       SELECT $1, $2, $3, 1000 + nth, 'malformed_reply', 'x', now(), now() FROM generate_series(1, 100) AS nth`,
      [workspace.organizationId, workspace.workspaceId, id],
    );
    date(2, '2026-11-02');
    spoil(shop, /\/orders\/(2\/refunds|1\d\d\d)$/, { status: 400 });
    expect(await workspace.sync(id)).toMatchObject({
      status: 'failed',
      error: { code: 'request_refused', message: '127.0.0.1 answered 400. The request was about order 2.' },
      progress: { orders_set_aside: 0 },
    });
    expect(await setAsideIds(id)).toHaveLength(100);
    refuseRefundsOf2();
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_set_aside: 1 } });
    // the shop does not have the others
    expect(await setAsideIds(id)).toEqual(['2']);
  });

  it('concerns its own connector, whatever another one of the workspace has set aside', async () => {
    for (const order of [2, 5]) other.add(order, order, [['B', order]]).refunds = [{ id: 1 }];
    spoil(other, /\/refunds$/, { status: 400 });
    const otherId = await workspace.connectAndSettle('woocommerce', other.settings);
    const asideOfOther = await setAside(otherId);
    expect(asideOfOther.map((order) => order['id'])).toEqual(['2', '5']);
    await workspace.service.database.execute(
      `INSERT INTO connector_orders_set_aside
         (organization_id, workspace_id, connector_id, external_id, code, message, since, tried_at)
       SELECT $1, $2, $3, 1000 + nth, 'malformed_reply', 'x', now(), now() FROM generate_series(1, 99) AS nth`,
      [workspace.organizationId, workspace.workspaceId, otherId],
    );

    refuseRefundsOf2();
    const id = await connectWithThree();
    expect(await setAsideIds(id)).toEqual(['2']);
    repair(shop);
    await workspace.sync(id);
    expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 107 } }, []]);
    expect(shop.requests.map(({ path }) => path)).not.toContainEqual(expect.stringMatching(/\/orders\/5$/));
    shop.orders.delete(2);
    await readAgain(id);
    expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 101 } });
    expect((await setAside(otherId)).slice(0, 2)).toEqual(asideOfOther);
  });

  it.each<[string, PlatformReply, string]>([
    ['a firewall', { status: 403, body: '<html>Blocked</html>' }, 'request_refused'],
    ['WordPress without WooCommerce', { status: 404, body: { code: 'rest_no_route' } }, 'request_refused'],
    ['a lost permission', { status: 403, body: { code: 'woocommerce_rest_cannot_view' } }, 'access_revoked'],
    ['a redirect', { status: 302, headers: { location: 'https://example.com/' } }, 'redirected'],
  ])('is not the cause when %s answers', async (_what, reply, code) => {
    sellThree();
    spoil(shop, REFUNDS_OF_2, reply);
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code } });
    expect(await setAside(id)).toEqual([]);
  });

  it('does not keep a sync from completing when the platform asks to wait before it is tried again', async () => {
    refuseRefundsOf2();
    const id = await connectWithThree();
    const [before] = await setAside(id);
    spoil(shop, /\/orders\/2$/, { status: 429, headers: { 'retry-after': '600' } });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
    expect(await setAside(id)).toEqual([{ ...before, last_tried_at: expect.any(String) }]);
    repair(shop);
    await workspace.sync(id);
    expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 107 } }, []]);
  });

  it('is set aside when a webhook reports it, since lists may not contain the change, and counted once', async () => {
    const id = await connectWithThree();
    date(2, '2026-10-31'); // as before, as far as the next sync is concerned
    refund(2, 9);
    refuseRefundsOf2();
    const counted = jest.spyOn(ConnectorInstruments.prototype, 'orderSetAside');
    const body = JSON.stringify(shop.orders.get(2));
    const deliver = async (): Promise<void> => {
      const reply = await fetch(`${workspace.service.url}/webhooks/connectors/woocommerce/${id}`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-wc-webhook-topic': 'order.updated',
          'x-wc-webhook-delivery-id': randomUUID(),
          'x-wc-webhook-signature': createHmac('sha256', 'hush').update(body).digest('base64'),
        },
      });
      expect(reply.status).toBe(200);
    };
    await deliver();
    const [first] = await eventually('it is set aside', async () => {
      const found = await setAside(id);
      return found.length > 0 ? found : undefined;
    });
    expect(first).toMatchObject({ id: '2', code: 'request_refused' });
    await deliver();
    await eventually('it is tried again', async () => {
      const [again] = await setAside(id);
      return again!['last_tried_at'] !== first!['last_tried_at'] || undefined;
    });
    date(2, '2026-11-02');
    repair(shop);
    await workspace.sync(id);
    expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 102 } }, []]);
    expect(counted).toHaveBeenCalledTimes(1);
  });

  it('stays set aside if a webhook finds it unreadable while the sync tries it again', async () => {
    refuseRefundsOf2();
    const id = await connectWithThree();
    repair(shop);
    shop.misbehave.push(undefined, undefined, async () => {
      await workspace.service.database.execute(
        `UPDATE connector_orders_set_aside SET tried_at = clock_timestamp() WHERE connector_id = $1`,
        [id],
      );
      return undefined;
    });
    await workspace.sync(id);
    expect([await workspace.sold(), await setAsideIds(id)]).toEqual([{ A: { [OCTOBER]: 107 } }, ['2']]);
    await workspace.sync(id);
    expect(await setAside(id)).toEqual([]);
  });

  it('does not count as tried when the sync ends while the platform is asked for it', async () => {
    refuseRefundsOf2();
    const id = await connectWithThree();
    const before = await setAside(id);
    const ended = jest.spyOn(SetAsideReader.prototype, 'readDue');
    shop.misbehave.push(undefined, undefined, 'hang');
    await workspace.post(`/${id}/sync`, {});
    await eventually('it is asked for', () => Promise.resolve(shop.requests.at(-1)?.path.endsWith('/2') || undefined));
    await workspace.patch(`/${id}`, { enabled: false });
    await eventually('the sync notices', () => Promise.resolve(shop.brokenOff > 0 || undefined));
    await ended.mock.results[0]?.value;
    expect(await setAside(id)).toEqual(before);
  });

  it('is forgotten with its connector', async () => {
    refuseRefundsOf2();
    const id = await connectWithThree();
    expect((await workspace.member.delete(`${workspace.path}/${id}`)).status).toBe(204);
    const left = await workspace.service.database.query(
      'SELECT FROM connector_orders_set_aside WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
    expect(left).toEqual([]);
  });

  it('of Shopify is read again by itself', async () => {
    const shopify = await new ShopifyServer().start();
    try {
      const day = new Date(Date.now() - 86_400_000).toISOString();
      const lines = Array.from({ length: 25 }, () => ({ sku: 'A', quantity: 1 }));
      shopify.add({ id: 1, processedAt: day, lines });
      shopify.add({ id: 2, processedAt: day, lines: [{ sku: 'A', quantity: 100 }] });
      spoil(shopify, /OrderLines/, { body: { errors: [{ message: 'syntax error' }] } });
      const id = await workspace.connectAndSettle('shopify', shopify.settings);
      expect(await setAsideIds(id)).toEqual(['1']);
      repair(shopify);
      await workspace.sync(id);
      expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [day.slice(0, 10)]: 125 } }, []]);
    } finally {
      await shopify.stop();
    }
  });

  it('of Shopify counts as before if it is too old to be shown', async () => {
    const shopify = await new ShopifyServer().start();
    try {
      const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
      const lines = Array.from({ length: 25 }, () => ({ sku: 'A', quantity: 1 }));
      shopify.add({ id: 1, processedAt: daysAgo(55), updatedAt: daysAgo(2), lines });
      const id = await workspace.connectAndSettle('shopify', shopify.settings);
      spoil(shopify, /OrderLines/, { body: { errors: [{ message: 'syntax error' }] } });
      shopify.orders.get(1)!.updatedAt = daysAgo(1);
      await workspace.sync(id);
      expect(await setAsideIds(id)).toEqual(['1']);
      shopify.orders.delete(1);
      await workspace.sync(id);
      expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [daysAgo(55).slice(0, 10)]: 25 } }, []]);
    } finally {
      await shopify.stop();
    }
  });

  it('of BigCommerce is read again by itself', async () => {
    const store = await new BigCommerceServer().start();
    try {
      store.includedLines = 0;
      store.add(1, 1, 'A', 1);
      store.add(2, 2, 'A', 10);
      spoil(store, /\/orders\/1\/products$/, { status: 422 });
      const id = await workspace.connectAndSettle('bigcommerce', store.settings);
      expect(await setAsideIds(id)).toEqual(['1']);
      expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 10 } });
      repair(store);
      await workspace.sync(id);
      expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 11 } }, []]);
    } finally {
      await store.stop();
    }
  });

  it('of Business Central is read again by itself, be it an invoice or a credit memo', async () => {
    const company = await new BusinessCentralServer().start();
    try {
      company.linesAtOnce = 2;
      const lines = [1, 2, 4].map((quantity) => ['Item', 'A', quantity] as const);
      company.add('salesInvoices', 'i1', 1, lines);
      company.add('salesInvoices', 'i2', 2, [['Item', 'A', 100]]);
      company.add('salesCreditMemos', 'c1', 1, [...lines, ['Item', 'A', 2]]);
      spoil(company, /\((i1|c1)\)\/\w+Lines$/, { status: 400, body: {} });
      const id = await workspace.connectAndSettle('business_central', company.settings);
      expect((await setAsideIds(id)).sort()).toEqual(['c1', 'i1']);
      expect(await workspace.sold()).toEqual({ A: { [OCTOBER]: 100 } });
      repair(company);
      await workspace.sync(id);
      expect([await workspace.sold(), await setAside(id)]).toEqual([{ A: { [OCTOBER]: 98 } }, []]);
    } finally {
      await company.stop();
    }
  });
});
