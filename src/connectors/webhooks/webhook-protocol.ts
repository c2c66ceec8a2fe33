import type { FieldValues } from '../credentials/field.js';
import type { SourceOrder } from '../orders/order.js';
import type { ApiSession } from '../platforms/api-session.js';

/** A webhook request as received. */
export interface IncomingWebhook {
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** How a platform delivers notifications. */
export interface WebhookProtocol {
  /** The field that contains the signing secret. */
  readonly secret: string;
  /** Whether the platform sends it to check that the endpoint responds, before anything is signed. */
  isPing?(webhook: IncomingWebhook): boolean;
  /** Whether the signature matches the secret. Constant-time. */
  verify(webhook: IncomingWebhook, secret: string): boolean;
  /** Identifies a signed notification; undefined if it is not for this connector or lacks required parts. */
  identify(webhook: IncomingWebhook, values: FieldValues): { readonly key: string; readonly topic: string } | undefined;
  /**
   * The order that a notification is about; undefined if there is none.
   * @param receivedAt the version of an order that the platform has removed
   */
  orderOf(body: Buffer, topic: string, api: ApiSession, receivedAt: Date): Promise<SourceOrder | undefined>;
}
