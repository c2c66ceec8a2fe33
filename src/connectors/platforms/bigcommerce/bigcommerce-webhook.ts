import { Webhook } from 'standardwebhooks';
import type { SourceOrder } from '../../orders/order.js';
import type { WebhookProtocol } from '../../webhooks/webhook-protocol.js';
import type { ApiSession } from '../api-session.js';
import { aboutOrder } from '../records.js';
import { addressOf, type BigCommerceOrder, INCLUDE, toOrder } from './bigcommerce-order.js';

interface Notification {
  readonly scope?: unknown;
  readonly data?: { readonly id?: number } | null;
  readonly hash?: unknown;
  readonly producer?: unknown;
}

/** A body other than a JSON object yields an empty notification. */
function read(body: Buffer): Notification {
  try {
    return { ...(JSON.parse(body.toString('utf8')) as Notification | null) };
  } catch {
    return {};
  }
}

/** Standard Webhooks (standardwebhooks.com), signed over id, time and body, valid for five minutes. The body only identifies the order. */
export const bigcommerceWebhook: WebhookProtocol = {
  secret: 'webhook_secret',

  verify({ headers, body }, secret) {
    const signed = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name] ?? '']),
    );
    try {
      // a secret in the standard's format is base64; any other, such as an app's secret, is used verbatim
      const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
      webhook.verify(body.toString('utf8'), signed);
      return true;
    } catch {
      return false;
    }
  },

  identify({ body }, values) {
    const { scope, hash, producer } = read(body);
    if (typeof scope !== 'string' || typeof hash !== 'string') return undefined;
    return producer === `stores/${values['store_hash']}` ? { key: hash, topic: scope } : undefined;
  },

  async orderOf(body: Buffer, topic: string, api: ApiSession): Promise<SourceOrder | undefined> {
    const id = read(body).data?.id;
    if (!topic.startsWith('store/order/') || id === undefined) return undefined;
    // if not found, it does not exist yet: stores archive orders rather than delete them
    const { body: order } = await api.json<BigCommerceOrder>({ url: addressOf(api, `/${id}`), query: INCLUDE });
    return aboutOrder(id, () => toOrder(api, order));
  },
};
