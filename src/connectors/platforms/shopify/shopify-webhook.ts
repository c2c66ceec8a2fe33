import { isSignedWith } from '../../webhooks/signatures.js';
import type { WebhookProtocol } from '../../webhooks/webhook-protocol.js';
import type { ApiSession } from '../api-session.js';
import { idOf, readDelivered } from '../records.js';
import { fromRestOrder, type ShopifyRestOrder } from './shopify-order.js';

/** shopify.dev/docs/apps/build/webhooks: signed with the app's secret, redelivered for hours with the original body. */
export const shopifyWebhook: WebhookProtocol = {
  secret: 'client_secret',

  verify: ({ headers, body }, secret) =>
    body.length > 0 && isSignedWith(secret, body, headers['x-shopify-hmac-sha256']),

  identify({ headers }, values) {
    const topic = headers['x-shopify-topic'];
    const id = headers['x-shopify-event-id'] ?? headers['x-shopify-webhook-id'];
    const required = [topic, headers['x-shopify-api-version'], headers['x-shopify-webhook-id']];
    if (required.some((header) => !header) || headers['x-shopify-shop-domain'] !== values['shop']) return undefined;
    return { key: `${topic}:${id}`, topic: topic! };
  },

  orderOf: (body: Buffer, topic: string, _api: ApiSession, receivedAt: Date) =>
    readDelivered(() => {
      if (!topic.startsWith('orders/')) return undefined;
      const order = JSON.parse(body.toString('utf8')) as ShopifyRestOrder;
      // the signature covers only the body: a whole order, replayed under this topic, must delete nothing
      if (topic === 'orders/delete' && order.line_items === undefined && order.updated_at === undefined) {
        return { id: idOf(order.id), updatedAt: receivedAt, placed: receivedAt, lines: [] };
      }
      return fromRestOrder(order);
    }),
};
