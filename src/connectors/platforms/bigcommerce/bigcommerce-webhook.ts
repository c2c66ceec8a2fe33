import { Webhook } from 'standardwebhooks';
import type { SourceOrder } from '../../orders/order.js';
import type { WebhookProtocol } from '../../webhooks/webhook-protocol.js';
import type { ApiSession } from '../api-session.js';
import { addressOf, type BigCommerceOrder, INCLUDE, toOrder } from './bigcommerce-order.js';

interface Notification {
  readonly scope?: string;
  readonly data?: { readonly type?: string; readonly id?: number };
  readonly hash?: string;
  readonly producer?: string;
}

const read = (body: Buffer): Notification => JSON.parse(body.toString('utf8')) as Notification;

/** Standard Webhooks (standardwebhooks.com), signed over id, time and body, good for five minutes. The body only names the order. */
export const bigcommerceWebhook: WebhookProtocol = {
  secret: 'webhook_secret',

  verify({ headers, body }, secret) {
    const signed = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name] ?? '']),
    );
    try {
      // a secret of the standard's own form is base64; any other is taken as it is, as the secret of an app is
      const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
      webhook.verify(body.toString('utf8'), signed);
      return true;
    } catch {
      return false;
    }
  },

  identify({ body }, values) {
    const { scope, hash, producer } = read(body);
    if (scope === undefined || hash === undefined || producer !== `stores/${values['store_hash']}`) return undefined;
    return { key: hash, topic: scope };
  },

  async orderOf(body: Buffer, topic: string, api: ApiSession, receivedAt: Date): Promise<SourceOrder | undefined> {
    const id = read(body).data?.id;
    if (!topic.startsWith('store/order/') || id === undefined) return undefined;
    const reply = await api.send({ url: addressOf(api, `/${id}`), query: INCLUDE }, [404]);
    if (reply.status !== 200) return { id: String(id), updatedAt: receivedAt, placed: receivedAt, lines: [] };
    return toOrder(api, JSON.parse(reply.body) as BigCommerceOrder);
  },
};
