import { hash } from 'node:crypto';
import type { SourceOrder } from '../../orders/order.js';
import { isSignedWith } from '../../webhooks/signatures.js';
import type { WebhookProtocol } from '../../webhooks/webhook-protocol.js';
import type { ApiSession } from '../api-session.js';
import { idOf } from '../records.js';
import { toOrder, type WooOrder } from './woocommerce-order.js';

/** Signed with the webhook's own secret; never repeated by the shop, which gives up after five failures. */
export const woocommerceWebhook: WebhookProtocol = {
  secret: 'webhook_secret',

  isPing: ({ headers, body }) =>
    headers['x-wc-webhook-signature'] === undefined &&
    /^webhook_id=\d{1,20}$/.test(body.subarray(0, 64).toString('latin1')),

  verify: ({ headers, body }, secret) =>
    body.length > 0 && isSignedWith(secret, body, headers['x-wc-webhook-signature']),

  identify({ headers, body }) {
    const topic = headers['x-wc-webhook-topic'];
    if (topic === undefined) return undefined;
    // two bodies alike are of one order in one version
    return { key: `${topic}:${hash('sha256', body, 'hex')}`, topic };
  },

  async orderOf(body: Buffer, topic: string, api: ApiSession, receivedAt: Date): Promise<SourceOrder | undefined> {
    const order = JSON.parse(body.toString('utf8')) as WooOrder;
    if (topic === 'order.deleted') {
      // the signature is of the body alone: an order whole, sent again under this topic, deletes nothing
      if (Object.hasOwn(order, 'line_items') || Object.hasOwn(order, 'date_modified_gmt')) return undefined;
      return { id: idOf(order.id), updatedAt: receivedAt, placed: receivedAt, lines: [] };
    }
    return topic.startsWith('order.') ? toOrder(api, order) : undefined;
  },
};
