import { hash } from 'node:crypto';
import type { SourceOrder } from '../../orders/order.js';
import { isSignedWith } from '../../webhooks/signatures.js';
import type { WebhookProtocol } from '../../webhooks/webhook-protocol.js';
import type { ApiSession } from '../api-session.js';
import { aboutOrder, idOf, readDelivered } from '../records.js';
import { readOrder, toOrder, type WooOrder } from './woocommerce-order.js';

/** Sent of an order that is put into the trash, not of one that is deleted for good at once. Its body is the id alone. */
const DELETED = 'order.deleted';

interface WooError {
  readonly code: string;
}

/** Signed with the webhook's own secret; never repeated by the shop, which disables the webhook after some failures in a row. */
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
    // two bodies alike may tell of two changes: lines that are changed and changed back need not give the order another date
    const delivery = headers['x-wc-webhook-delivery-id'] ?? '';
    return { key: `${topic}:${hash('sha256', Buffer.concat([body, Buffer.from(delivery)]), 'hex')}`, topic };
  },

  async orderOf(body: Buffer, topic: string, api: ApiSession, receivedAt: Date): Promise<SourceOrder | undefined> {
    if (!topic.startsWith('order.')) return undefined;
    const delivered = await readDelivered(async () => {
      const order = JSON.parse(body.toString('utf8')) as WooOrder | WooError;
      // sent in place of an order that is deleted before its notification goes out, or that the maker of the webhook may not see
      if ('code' in order) return undefined;
      if (topic === DELETED) return { id: idOf(order.id), updatedAt: receivedAt, placed: receivedAt, lines: [] };
      return aboutOrder(order.id, () => toOrder(api, order));
    });
    if (!delivered || topic !== DELETED) return delivered;
    // it may have been deleted or be back from the trash by now. The topic is not signed, either
    const { id } = delivered;
    return (await aboutOrder(id, () => readOrder(api, id))) ?? delivered;
  },
};
