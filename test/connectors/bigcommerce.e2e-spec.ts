import { beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.js';
import { BigCommerceServer } from './bigcommerce-server.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';

const SECRET = 'the client secret of the app';

describe('a connected BigCommerce store', () => {
  const workspace = connectedWorkspace({ environment: { PUBLIC_URL: 'https://forecasts.example.com' } });
  const store = platformOfEachTest(() => new BigCommerceServer());
  const connect = () => workspace.connect('bigcommerce', { ...store.settings, webhook_secret: SECRET });

  it('imports what is left of its orders, page by page', async () => {
    for (let id = 1; id <= 600; id += 1) store.add(id, Math.floor(id / 3), 'A', 1);
    store.orders.get(1)!.lines[0]!.quantity_refunded = 1;
    for (const [at, status_id] of [0, 4, 5, 6].entries()) store.add(900 + at, 300, 'A', 1_000, { status_id });
    store.add(950, 301, 'A', 1_000, { is_deleted: true });
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 599 } });
    store.orders.get(2)!.lines[0]!.quantity_refunded = 1;
    store.orders.get(2)!.date_modified = 'Mon, 02 Nov 2026 00:00:00 +0000';
    expect((await workspace.sync(id)).progress).toMatchObject({ orders_changed: 1 });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 598 } });
  });

  it('is read to the end when the last page has nothing new but an order without dates', async () => {
    for (let id = 1; id <= 250; id += 1) store.add(id, id, 'A', 1);
    store.add(251, 251, 'A', 1, { date_created: '' });
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { orders_read: 251, orders_changed: 250, lines_skipped: 1 },
    });
  });

  it('accepts an empty store, and lines at another address', async () => {
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', progress: { orders_read: 0 } });
    store.includes = false;
    store.add(1, 1, 'A', 4);
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 4 } });
  });

  it('imports the lines of an order that contains only their URLs', async () => {
    store.links = true;
    store.add(1, 1, 'A', 4);
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { lines_skipped: 0 },
    });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 4 } });
  });

  it('imports all lines of an order that contains only the first fifty', async () => {
    const line = { sku: 'A', name: 'Product A', quantity: 2, quantity_refunded: 1 };
    const linesOf = (count: number) => ({ lines: Array.from({ length: count }, () => line) });
    for (const [id, count] of [49, 50, 51, 250, 601].entries()) store.add(id + 1, id, 'A', 1, linesOf(count));
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 49 + 50 + 51 + 250 + 601 } });
  });

  it('imports all lines of an order that reports missing ones, however many it contains', async () => {
    store.includedLines = 30;
    const line = { sku: 'A', name: 'Product A', quantity: 1, quantity_refunded: 0 };
    store.add(1, 1, 'A', 1, { lines: Array.from({ length: 40 }, () => line) });
    await workspace.settled(await connect());
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 40 } });
  });

  it('imports items that are not in the catalog by SKU', async () => {
    const line = { quantity: 3, quantity_refunded: 0, product_id: 0, variant_id: 0 };
    store.add(1, 1, 'A', 1, {
      lines: [
        { ...line, name: 'Made to order', sku: 'CUSTOM' },
        { ...line, name: 'Engraving', sku: '' },
        { ...line, name: 'Gift certificate', sku: '' },
        { ...line, name: 'Without variants', sku: '', product_id: 77 },
      ],
    });
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { lines_skipped: 2 },
    });
    expect(await workspace.sold()).toEqual({ CUSTOM: { '2026-10-15': 3 }, 'product:77': { '2026-10-15': 3 } });
  });

  it('imports the lines of an order later when they are not visible yet', async () => {
    store.includes = false;
    store.add(1, 1, 'A', 4);
    store.misbehave.push(undefined, { status: 404 });
    expect(await workspace.settledAtOnce(await connect())).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 4 } });
  });

  it('is left alone when its rate limit is nearly or fully used up', async () => {
    for (let id = 1; id <= 251; id += 1) store.add(id, id, 'A', 1);
    Object.assign(store, { left: 3, resetMs: 600_000 });
    const id = await connect();
    const paused = await eventually('it pauses', async () =>
      (await workspace.syncs(id)).find((sync) => sync.waiting_until),
    );
    expect(paused).toMatchObject({ status: 'running', error: null, progress: { pages: 1 } });
    store.left = 0;
    const asked = store.requests.length;
    await workspace.spareWaiting(id);
    await eventually('it is refused', () => Promise.resolve(store.requests.length > asked || undefined));
    store.left = 100;
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 251 } });
    expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
  });

  describe('notifies of an order', () => {
    let id: string;
    beforeEach(async () => {
      id = await connect();
      await workspace.settled(id);
    });
    const send = (message: Record<string, unknown>, options: { secret?: string; at?: Date } = {}): Promise<number> =>
      sendBody(
        JSON.stringify({ producer: 'stores/abc123', scope: 'store/order/updated', hash: 'h1', ...message }),
        options,
      );
    const sendBody = async (
      body: string,
      { secret = SECRET, at = new Date() }: { secret?: string; at?: Date } = {},
    ): Promise<number> => {
      const signature = new Webhook(secret, { format: 'raw' }).sign('msg_1', at, body);
      const reply = await fetch(`${workspace.service.url}/webhooks/connectors/bigcommerce/${id}`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': signature,
        },
      });
      return reply.status;
    };
    const outcomes = async (): Promise<(string | null)[]> =>
      (
        await workspace.service.database.query<{ outcome: string | null }>(
          'SELECT outcome FROM connector_deliveries WHERE connector_id = $1 ORDER BY id',
          [id],
        )
      ).map(({ outcome }) => outcome);

    it('which is fetched and counted once', async () => {
      store.add(7, 5, 'A', 3);
      expect(await send({ data: { type: 'order', id: 7 } })).toBe(200);
      expect(await send({ data: { type: 'order', id: 7 } })).toBe(200);
      await eventually('it is stored', async () => ((await outcomes())[0] === 'stored' ? true : undefined));
      expect(await outcomes()).toHaveLength(1);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
      store.orders.get(7)!.is_deleted = true;
      await send({ data: { type: 'order', id: 7 }, hash: 'h2' });
      await eventually('it is removed', async () => ((await outcomes())[1] === 'stored' ? true : undefined));
      expect(await workspace.sold()).toEqual({ A: {} });
    });

    it('which is fetched later when the store is down', async () => {
      store.add(7, 5, 'A', 3);
      store.misbehave.push({ status: 502 });
      await send({ data: { type: 'order', id: 7 } });
      await eventually('it was tried', async () => {
        const [row] = await workspace.service.database.query<{ attempts: number }>(
          'SELECT attempts FROM connector_deliveries WHERE connector_id = $1',
          [id],
        );
        return row?.attempts || undefined;
      });
      expect(await outcomes()).toEqual([null]);
      await workspace.service.database.execute(
        'UPDATE connector_deliveries SET wake_at = now() WHERE connector_id = $1',
        [id],
      );
      await eventually('it is stored', async () => ((await outcomes())[0] === 'stored' ? true : undefined));
    });

    it('which the next sync imports when it is not visible yet', async () => {
      await send({ data: { type: 'order', id: 7 }, scope: 'store/order/created' });
      await eventually('it was requested', async () => (await outcomes())[0] ?? undefined);
      store.add(7, 5, 'A', 3);
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
    });

    it('which is not requested with rejected credentials', async () => {
      store.add(7, 5, 'A', 3);
      store.misbehave.push({ status: 401 });
      await send({ data: { type: 'order', id: 7 } });
      await eventually('it is given up', async () =>
        (await outcomes())[0] === 'credentials_refused' ? true : undefined,
      );
      expect((await workspace.get(`/${id}`)).body).toMatchObject({ needs_reconnect: true, next_sync_at: null });
      const asked = store.requests.length;
      await send({ data: { type: 'order', id: 7 }, hash: 'h2' });
      await eventually('it is given up, too', async () =>
        (await outcomes())[1] === 'credentials_refused' ? true : undefined,
      );
      expect(store.requests).toHaveLength(asked);
      // what works again brings it
      await workspace.post(`/${id}/test`);
      await workspace.sync(id);
      expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 3 } });
    });

    it.each(['', 'null', 'not JSON', '[]', '"text"'])('only with an object, not %j', async (body) => {
      expect(await sendBody(body)).toBe(401);
      expect(await outcomes()).toEqual([]);
    });

    it.each([
      { hash: '\0x' },
      { hash: { a: 1 } },
      { hash: '' },
      { hash: 'h'.repeat(256) },
      { scope: '\0' },
      { scope: 7 },
    ])('only under names that can be stored, not %j', async (names) => {
      expect(await send({ data: { type: 'order', id: 7 }, ...names })).toBe(401);
      expect(await outcomes()).toEqual([]);
    });

    it('only with a recent signature for this store', async () => {
      const data = { type: 'order', id: 7 };
      expect(await send({ data }, { secret: 'another' })).toBe(401);
      expect(await send({ data }, { at: new Date(Date.now() - 6 * 60_000) })).toBe(401);
      expect(await send({ data }, { at: new Date(Date.now() + 6 * 60_000) })).toBe(401);
      expect(await send({ data, producer: 'stores/another' })).toBe(401);
      expect(await outcomes()).toEqual([]);
    });
  });
});
