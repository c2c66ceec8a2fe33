import { describe, expect, it } from '@jest/globals';
import { MAX_REPLY_BYTES } from '../../src/connectors/outbound/outbound-client.js';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { platformOfEachTest } from './platform-of-each-test.js';
import type { PlatformReply } from './platform-server.js';
import { WooCommerceServer } from './woocommerce-server.js';

describe('a connected WooCommerce shop', () => {
  const workspace = connectedWorkspace({}); // renames tables
  const shop = platformOfEachTest(() => new WooCommerceServer());
  const connect = () => workspace.connect('woocommerce', shop.settings);

  it('is read to the end when the last page has nothing new but an order without dates', async () => {
    for (let id = 1; id <= 101; id += 1) shop.add(id, id, [['A', 1]]);
    shop.orders.get(101)!.date_created_gmt = '';
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { orders_read: 101, orders_changed: 100, lines_skipped: 1 },
    });
  });

  it('is read to the end although its pages omit orders it cannot load', async () => {
    for (let id = 1; id <= 250; id += 1) shop.add(id, id, [['A', 1]]);
    shop.broken.add(50).add(51).add(140);
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { orders_read: 247, lines_skipped: 0 },
    });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 247 } });
  });

  it('is given up when it ignores the offset, and read to the end by a sync that gets proper replies', async () => {
    for (let id = 1; id <= 150; id += 1) shop.add(id, id, [['A', 1]]);
    for (let request = 0; request < 100; request += 1) {
      shop.misbehave.push(({ query }) => {
        query.delete('offset');
        return undefined;
      });
    }
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code: 'pages_repeat' } });
    expect(shop.requests.length).toBeLessThan(30);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 100 } });
    shop.misbehave.length = 0;
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 150 } });
  });

  it('imports the orders around one without dates, and reports that it left one out', async () => {
    shop.add(1, 10, [['A', 1]]);
    shop.add(2, 20, [['A', 10]]);
    shop.add(3, 30, [['A', 100]]);
    shop.misbehave.push(() => {
      const [first, second, third] = [...shop.orders.values()];
      return { body: [first, { ...second, date_created_gmt: null }, third] };
    });
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { orders_read: 3, orders_changed: 2, lines_skipped: 1 },
    });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 101 } });
  });

  it('skips lines with an overlong SKU or an impossible quantity, and counts the others of their order', async () => {
    const longest = 'L'.repeat(255);
    shop.add(1, 1, [
      [longest, 1],
      [`${longest}L`, 10],
      ['B', 2e9],
      ['C', 1],
      ['D', 1e9],
    ]);
    shop.orders.get(1)!.line_items[3]!.quantity = 'a dozen' as never;
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { orders_changed: 1, lines_skipped: 3 },
    });
    expect(await workspace.sold()).toEqual({ [longest]: { '2026-10-15': 1 }, D: { '2026-10-15': 1e9 } });
  });

  it('counts orders that are paid or to be paid, minus refunds', async () => {
    shop.add(1, 1, [['A', 1]], 'completed');
    shop.add(2, 2, [['A', 10]], 'on-hold');
    for (const [at, status] of ['pending', 'cancelled', 'refunded', 'failed', 'checkout-draft'].entries())
      shop.add(3 + at, 3 + at, [['A', 1_000]], status);
    const refunded = shop.add(20, 20, [
      ['A', 100],
      ['B', 5],
    ]);
    refunded.refunds = [{ id: 1 }];
    shop.refunds.set(20, [
      { line: 200, quantity: 40 },
      { line: 201, quantity: 5 },
    ]);
    const id = await connect();
    await workspace.settled(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 71 } });
    // the shop's own statuses can be counted too
    const count = (counted_statuses: string) => workspace.patch(`/${id}`, { settings: { counted_statuses } });
    expect((await count('completed, failed')).status).toBe(200);
    expect((await count('completed,wc-failed')).body).toMatchObject({
      errors: [
        {
          param: 'settings.counted_statuses',
          message: 'must be statuses in lower case, without wc-, separated by commas',
        },
      ],
    });
  });

  it('imports the orders around one deleted before its refunds are read', async () => {
    shop.add(1, 1, [['A', 1]]);
    shop.add(2, 2, [['A', 10]]).refunds = [{ id: 1 }];
    shop.add(3, 3, [['A', 100]]);
    shop.misbehave.push(undefined, () => {
      shop.orders.delete(2);
      return undefined;
    });
    expect(await workspace.settled(await connect())).toMatchObject({
      status: 'completed',
      progress: { pages: 2, orders_read: 3 },
    });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 101 } });
  });

  it('keeps an order whose refunds cannot be read while WooCommerce is deactivated', async () => {
    shop.add(1, 1, [['A', 1]]).refunds = [{ id: 1 }];
    shop.misbehave.push(undefined, { status: 404, body: { code: 'rest_no_route' } });
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code: 'request_refused' } });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1 } });
  });

  it('removes a trashed order, and counts it again once restored', async () => {
    const order = shop.add(1, 1, [['A', 1]]);
    shop.add(2, 2, [['A', 10]]);
    const id = await connect();
    await workspace.settled(id);
    Object.assign(order, { status: 'trash', date_modified_gmt: '2026-11-02T00:00:00' });
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 10 } });
    Object.assign(order, { status: 'processing', date_modified_gmt: '2026-11-03T00:00:00' });
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 11 } });
  });

  it('counts an order dated an hour early, as in the repeated hour when clocks go back', async () => {
    shop.add(1, 7_200, [['A', 1]]);
    const id = await connect();
    await workspace.settled(id);
    shop.add(2, 7_200 - 3_600, [['A', 10]]);
    await workspace.sync(id);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 11 } });
  });

  it('asks for new credentials when the keys are refused, and resumes with working ones', async () => {
    shop.add(1, 1, [['A', 1]]);
    const id = await connect();
    await workspace.settled(id);
    shop.secret = 'cs_another_consumer_secret';
    expect(await workspace.sync(id)).toMatchObject({ status: 'failed', error: { code: 'credentials_refused' } });
    const before = (await workspace.get(`/${id}`)).body;
    expect(before).toMatchObject({ needs_reconnect: true, next_sync_at: null });
    expect(before['reconnect_reason']).toMatchObject({ code: 'credentials_refused', since: expect.any(String) });
    const asked = shop.requests.length;
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, code: 'credentials_refused' });
    expect(shop.requests.length).toBe(asked + 1);
    await workspace.patch(`/${id}`, { settings: { consumer_secret: shop.secret } });
    await eventually('it works again', async () => {
      const { body } = await workspace.get(`/${id}`);
      return body['needs_reconnect'] === false || undefined;
    });
    expect((await workspace.get(`/${id}`)).body).toMatchObject({ reconnect_reason: null });
    await workspace.settled(id); // the sync with the new credentials must not be told to wait in place of the test
    shop.misbehave.push({ status: 429, headers: { 'retry-after': '7' } });
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({
      ...{ ok: false, code: 'rate_limited' },
      message: 'The platform asked to wait for 7 seconds.',
    });
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: true, account: '127.0.0.1' });
    const actions = await workspace.service.database.query<{ action: string }>(
      `SELECT action FROM audit_events WHERE organization_id = $1 AND action LIKE 'connector.%reconnect%' ORDER BY sequence`,
      [workspace.organizationId],
    );
    expect(actions.map(({ action }) => action)).toEqual(['connector.needs_reconnect', 'connector.reconnected']);
  });

  it.each<[string, () => void]>([
    ['a 503', () => shop.misbehave.push({ status: 503 })],
    ['a page instead of JSON', () => shop.misbehave.push({ body: '<html>Under repair</html>' })],
    ['JSON of another form', () => shop.misbehave.push({ body: [{ id: 1, status: 'processing' }] })],
    ['truncated JSON', () => shop.misbehave.push({ body: '[{"id":1,' })],
  ])('survives %s without asking for new credentials', async (_what, misbehave) => {
    shop.add(1, 1, [['A', 1]]);
    misbehave();
    const id = await connect();
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', error: null });
    const asked = await workspace.service.database.query(
      `SELECT FROM audit_events WHERE organization_id = $1 AND action = 'connector.needs_reconnect'`,
      [workspace.organizationId],
    );
    expect(asked).toEqual([]);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1 } });
  });

  it('is read to the end despite repeated failures, as long as there is progress between them', async () => {
    for (let id = 1; id <= 700; id += 1) shop.add(id, id, [['A', 1]]);
    for (let page = 1; page <= 7; page += 1) shop.misbehave.push(undefined, { status: 503 });
    expect(await workspace.settledAtOnce(await connect())).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 700 } });
  });

  it('is retried after the delay of a 429, without asking for new credentials', async () => {
    shop.add(1, 1, [['A', 1]]);
    const begun = Date.now();
    shop.misbehave.push({ status: 429, headers: { 'retry-after': '600' } });
    const id = await connect();
    const waiting = await workspace.spareWaiting(id);
    expect(waiting.status).toBe('running');
    expect(Date.parse(waiting.waiting_until!)).toBeGreaterThanOrEqual(begun + 600_000);
    expect(Date.parse(waiting.waiting_until!)).toBeLessThanOrEqual(Date.now() + 600_000);
    expect((await workspace.get(`/${id}`)).body['needs_reconnect']).toBe(false);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1 } });
  });

  it('is read to the end however often the shop asks to wait', async () => {
    shop.add(1, 1, [['A', 1]]);
    for (let wait = 1; wait <= 8; wait += 1) shop.misbehave.push({ status: 429, headers: { 'retry-after': '600' } });
    expect(await workspace.settledAtOnce(await connect())).toMatchObject({ status: 'completed', error: null });
  });

  it('is read from the start of its list after a refusal, which may concern the position in it', async () => {
    for (let id = 1; id <= 101; id += 1) shop.add(id, id, [['A', 1]]);
    shop.misbehave.push(undefined, { status: 400 });
    const id = await connect();
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'failed', error: { code: 'request_refused' } });
    const refused = shop.requests.length;
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
    const offsets = shop.requests.slice(refused).map(({ query }) => query.get('offset'));
    expect([shop.requests[refused - 1]!.query.get('offset'), offsets[0]]).toEqual(['90', '0']);
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 101 } });
  });

  it.each(['0', 'Wed, 21 Oct 2015 07:28:00 GMT'])('is retried after a minute when a 429 says %s', async (when) => {
    shop.add(1, 1, [['A', 1]]);
    const begun = Date.now();
    shop.misbehave.push({ status: 429, headers: { 'retry-after': when } });
    const id = await connect();
    const waiting = await workspace.spareWaiting(id);
    expect(Date.parse(waiting.waiting_until!)).toBeGreaterThanOrEqual(begun + 60_000);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
  });

  it('is left alone during maintenance, for an hour at most', async () => {
    shop.add(1, 1, [['A', 1]]);
    const begun = Date.now();
    shop.misbehave.push({ status: 503, headers: { 'retry-after': '600' } });
    shop.misbehave.push({ status: 503, headers: { 'retry-after': '86400' } });
    const id = await connect();
    const error = { code: 'platform_error' };
    const waiting = await workspace.spareWaiting(id);
    expect(waiting).toMatchObject({ status: 'running', error });
    expect(Date.parse(waiting.waiting_until!)).toBeGreaterThanOrEqual(begun + 600_000);
    expect(Date.parse(waiting.waiting_until!)).toBeLessThanOrEqual(Date.now() + 600_000);
    const longer = await workspace.spareWaiting(id);
    expect(Date.parse(longer.waiting_until!)).toBeGreaterThanOrEqual(begun + 3_600_000);
    expect(Date.parse(longer.waiting_until!)).toBeLessThanOrEqual(Date.now() + 3_600_000);
    expect(await workspace.settled(id)).toMatchObject({ status: 'completed', error: null });
  });

  it('retries after an internal error, which the sync reports', async () => {
    shop.add(1, 1, [['A', 1]]);
    const table = (from: string, to: string) =>
      workspace.service.database.execute(`ALTER TABLE ${from} RENAME TO ${to}`);
    await table('connector_order_lines', 'lost');
    const id = await connect();
    const told = await eventually('it is reported', async () => (await workspace.syncs(id)).find(({ error }) => error));
    await table('lost', 'connector_order_lines');
    expect(told).toMatchObject({
      status: 'running',
      error: { code: 'internal_error', message: 'An error on our side.' },
    });
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'completed', error: null });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1 } });
  });

  it.each<[string, PlatformReply]>([
    ['a firewall', { status: 403, body: '<html>Blocked</html>' }],
    ['a maintenance page', { status: 302, headers: { location: 'https://elsewhere.example.com/' } }],
    ['an update of its plugins', { status: 404, body: { code: 'rest_no_route' } }],
  ])('that %s blocks midway through its orders is resumed from there', async (_what, refusal) => {
    for (let id = 1; id <= 350; id += 1) shop.add(id, id, [['A', 1]]);
    shop.misbehave.push(undefined, undefined, refusal);
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'failed', progress: { pages: 2, orders_read: 190 } });
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed', progress: { orders_read: 160 } });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 350 } });
  });

  it('fails a sync that it cannot resume, and starts the next from the last change', async () => {
    /** Answers so on every request, since the sync repeats one whose reply is slow on a busy machine. */
    const answerAlways = (reply: PlatformReply) => {
      shop.misbehave.splice(0, Infinity, ...Array.from({ length: 20 }, () => reply));
    };
    answerAlways({ status: 302, headers: { location: 'https://elsewhere.example.com/' } });
    const id = await connect();
    expect(await workspace.settled(id)).toMatchObject({ status: 'failed', error: { code: 'redirected' } });
    answerAlways({ body: `"${'x'.repeat(MAX_REPLY_BYTES)}"` });
    await workspace.post(`/${id}/sync`);
    expect(await workspace.settledAtOnce(id)).toMatchObject({ status: 'failed', error: { code: 'reply_too_large' } });
    shop.misbehave.length = 0;
    shop.add(1, 1, [['A', 1]]);
    expect(await workspace.sync(id)).toMatchObject({ status: 'completed' });
    expect(await workspace.sold()).toEqual({ A: { '2026-10-15': 1 } });
  });
});
