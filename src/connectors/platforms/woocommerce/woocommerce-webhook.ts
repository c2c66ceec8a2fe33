import { hash } from 'node:crypto';
import type { SourceOrder } from '../../orders/order.js';
import { isSignedWith } from '../../webhooks/signatures.js';
import type { WebhookProtocol } from '../../webhooks/webhook-protocol.js';
import type { ApiSession } from '../api-session.js';
import { idOf } from '../records.js';
import { readOrder, toOrder, type WooOrder } from './woocommerce-order.js';

/** Its body is the id alone. */
const DELETED = 'order.deleted';

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
    // two bodies alike are of one order in one version, but for deletions: an order may be put into the trash twice
    const delivery = topic === DELETED ? headers['x-wc-webhook-delivery-id'] : undefined;
    return { key: `${topic}:${hash('sha256', Buffer.concat([body, Buffer.from(delivery ?? '')]), 'hex')}`, topic };
  },

  async orderOf(body: Buffer, topic: string, api: ApiSession, receivedAt: Date): Promise<SourceOrder | undefined> {
    if (!topic.startsWith('order.')) return undefined;
    const order = JSON.parse(body.toString('utf8')) as WooOrder;
    if (topic !== DELETED) return toOrder(api, order);
    // also sent of an order that is put into the trash, and late: it may be back from there. The topic is not signed, either
    const id = idOf(order.id);
    return (await readOrder(api, id)) ?? { id, updatedAt: receivedAt, placed: receivedAt, lines: [] };
  },
};
