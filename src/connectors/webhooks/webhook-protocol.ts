import type { SourceOrder } from '../orders/order.js';
import type { ApiSession } from '../platforms/api-session.js';
import type { FieldValues } from '../field.js';

/** A webhook request as it came. */
export interface IncomingWebhook {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** How a platform notifies. */
export interface WebhookProtocol {
  /** The field that holds the secret of the signature. */
  readonly secret: string;
  /** Whether the platform sends it to see that somebody answers, before anything is signed. */
  isPing?(webhook: IncomingWebhook): boolean;
  /** Whether the signature fits the secret. Constant in time. */
  verify(webhook: IncomingWebhook, secret: string): boolean;
  /** What a signed notification is; undefined where it is not for this connector or lacks what it must have. */
  identify(webhook: IncomingWebhook, values: FieldValues): { readonly key: string; readonly topic: string } | undefined;
  /**
   * The order a notification tells of; undefined where it tells of none.
   * @param receivedAt the version of an order that the platform has removed
   */
  orderOf(body: Buffer, topic: string, api: ApiSession, receivedAt: Date): Promise<SourceOrder | undefined>;
}
