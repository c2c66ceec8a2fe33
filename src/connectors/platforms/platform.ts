import type { SourceOrder } from '../orders/order.js';
import type { OutboundReply } from '../outbound/outbound-client.js';
import type { ApiSession } from './api-session.js';
import type { WebhookProtocol } from '../webhooks/webhook-protocol.js';

export const PLATFORM_NAMES = ['shopify', 'woocommerce'] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/** Values of a connector's fields by name, secrets and issued tokens included. */
export type FieldValues = Readonly<Record<string, string>>;

/** One thing a connector of the platform is told. */
export interface Field {
  readonly name: string;
  /** `address`: an https:// URL without query; a change of one asks for every secret anew. */
  readonly kind: 'text' | 'address' | 'secret';
  readonly required: boolean;
  /** What texts look like, with how to say so. */
  readonly pattern?: { readonly matches: RegExp; readonly says: string };
  /** Where it is not given. */
  readonly fallback?: string;
  /** Milliseconds for which the former value of a secret is accepted after a change. */
  readonly graceMs?: number;
  /** The text is part of the address that the secrets are sent to. */
  readonly addresses?: boolean;
}

/** Where a pull goes on. */
export interface PullStep<Position = unknown> {
  readonly stream: string;
  /** Orders changed from this instant on. */
  readonly since: Date;
  /** What the former page gave as its next; null on the first. */
  readonly position: Position | null;
}

export interface PulledPage {
  readonly orders: readonly SourceOrder[];
  /** JSON; null after the last page. */
  readonly next: unknown;
  /** The latest change on the page, also of what is not counted. */
  readonly seen: Date | null;
  /** Milliseconds to leave the platform alone before the next page. */
  readonly pauseMs?: number;
}

/** How one platform is read. Implementations keep no state: everything is in the step and the session. */
export interface Platform {
  readonly name: PlatformName;
  readonly fields: readonly Field[];
  /** Kinds of records that are read one after the other, each with a watermark of its own. */
  readonly streams: readonly string[];
  /** How far back a new connector counts where it is not told: whole months, so that the first one is not partial. */
  readonly history: { readonly days: number };
  /** Headers that carry the credentials. */
  authorize(values: FieldValues): Readonly<Record<string, string>>;
  /** Gets new tokens where the old ones are refused; the result is stored before it is used. */
  refresh?(values: FieldValues, send: SendUnauthorized): Promise<FieldValues>;
  /** Whether a refusal (403) says that the connection as a whole was taken back, and how to tell. */
  revoked?(reply: OutboundReply): string | undefined;
  /** Milliseconds to wait after a 429, where Retry-After does not say. */
  retryAfterMs?(reply: OutboundReply): number | undefined;
  /** Makes the smallest request that needs the credentials. @returns what the account calls itself */
  check(api: ApiSession): Promise<string>;
  pull(api: ApiSession, step: PullStep): Promise<PulledPage>;
  readonly webhook?: WebhookProtocol;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST';
  readonly url: string | URL;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a token endpoint. @throws {PlatformFault} as the session does, 400 and 401 judged by their error code */
export type SendUnauthorized = (request: ApiRequest) => Promise<Readonly<Record<string, unknown>>>;
