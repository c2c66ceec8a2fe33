import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seal } from '../../src/platform/crypto/sealed-box.js';
import { eventually } from '../support/eventually.js';
import { connectedWorkspace } from './connected.js';
import { ShopifyServer } from './shopify-server.js';

const UNREADABLE = { code: 'credentials_unreadable' };

describe('a connector whose credentials were stored under a lost key', () => {
  const workspace = connectedWorkspace({ environment: { PUBLIC_URL: 'https://forecasts.example.com' } });
  let shop: ShopifyServer;
  let id: string;

  beforeEach(async () => {
    shop = await new ShopifyServer().start();
    id = await workspace.connectAndSettle('shopify', { ...shop.settings, client_secret: 'hush' });
    const credentials = { values: { access_token: shop.token, client_secret: 'hush' }, former: {} };
    await workspace.service.database.execute('UPDATE connectors SET sealed = $2 WHERE id = $1', [
      id,
      seal(Buffer.from(JSON.stringify(credentials)), randomBytes(32), id),
    ]);
  });
  afterEach(() => shop.stop());

  it('is shown without them, asks for new ones, and works again once they are complete', async () => {
    const shown = { needs_reconnect: true, reconnect_reason: UNREADABLE };
    const one = await workspace.get(`/${id}`);
    expect([one.status, one.body]).toMatchObject([200, shown]);
    expect(Object.keys(one.body['settings'] as object)).not.toContain('access_token');
    expect((await workspace.get()).body).toMatchObject([shown]);
    expect((await workspace.patch(`/${id}`, { name: 'Shop' })).body).toMatchObject({ name: 'Shop', ...shown });

    const kept = await workspace.patch(`/${id}`, { settings: { access_token: '********' } });
    expect([kept.status, kept.body]).toMatchObject([400, { errors: [{ param: 'settings.access_token' }] }]);
    const anew = { access_token: shop.token, client_secret: 'hush' };
    expect((await workspace.patch(`/${id}`, { settings: anew })).status).toBe(200);
    const works = await eventually('a sync has worked', async () => {
      const { body } = await workspace.get(`/${id}`);
      return body['needs_reconnect'] === false ? body : undefined;
    });
    expect(works).toMatchObject({ settings: { access_token: '********', client_secret: '********' } });
    expect((await workspace.sync(id)).status).toBe('completed');
  });

  it('fails a sync and a test at once, asking to reconnect', async () => {
    const asked = shop.requests.length;
    const sync = await workspace.sync(id);
    expect(sync).toMatchObject({ status: 'failed', error: UNREADABLE });
    expect((await workspace.get(`/${id}`)).body).toMatchObject({
      needs_reconnect: true,
      reconnect_reason: UNREADABLE,
      next_sync_at: null,
    });
    expect((await workspace.post(`/${id}/test`)).body).toMatchObject({ ok: false, ...UNREADABLE });
    expect(shop.requests).toHaveLength(asked);
  });

  it('refuses webhooks like an unknown connector', async () => {
    const body = '{"id":1}';
    const post = (connector: string): Promise<Response> =>
      fetch(`${workspace.service.url}/webhooks/connectors/shopify/${connector}`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': 'orders/updated',
          'x-shopify-shop-domain': 'example.myshopify.com',
          'x-shopify-webhook-id': randomUUID(),
          'x-shopify-hmac-sha256': createHmac('sha256', 'hush').update(body).digest('base64'),
        },
      });
    const replies = await Promise.all([post(id), post(randomUUID())]);
    const bodies = await Promise.all(replies.map((reply) => reply.json() as Promise<Record<string, unknown>>));
    expect(replies.map(({ status }) => status)).toEqual([401, 401]);
    expect({ ...bodies[0], request_id: '' }).toEqual({ ...bodies[1], request_id: '' });
  });
});
