import type { Field } from '../credentials/field.js';
import type { SourceOrder } from '../orders/order.js';
import type { WebhookProtocol } from '../webhooks/webhook-protocol.js';
import type { ApiSession, Authority } from './api-session.js';

export const PLATFORM_NAMES = [
  'shopify',
  'woocommerce',
  'bigcommerce',
  'quickbooks',
  'xero',
  'odoo',
  'business_central',
  'netsuite',
] as const;
export type PlatformName = (typeof PLATFORM_NAMES)[number];

/** Where a pull continues. */
export interface PullStep<Position = unknown> {
  readonly stream: string;
  /** Whether no sync has read the stream to its end yet. */
  readonly isNew: boolean;
  /** Pull orders changed from this instant on. */
  readonly since: Date;
  /** `next` of the previous page; null on the first. */
  readonly position: Position | null;
  /** Consecutive faults since the last page that was read; absent means none. */
  readonly faults?: number;
  /** Ids of orders to omit, because they are set aside. */
  readonly setAside?: ReadonlySet<string>;
}

export interface PulledPage {
  /** Undefined for malformed records. */
  readonly orders: readonly (SourceOrder | undefined)[];
  /** What the platform listed, if not the orders themselves but references to changed ones; compared as JSON. */
  readonly listed?: readonly unknown[];
  /** Whether records of the previous page were repeated; they are not among the orders. */
  readonly repeats?: boolean;
  /** JSON; null after the last page. */
  readonly next: unknown;
  /** The latest change on the page, including records that are not counted. */
  readonly seen: Date | null;
  /** Another stream that this one covers completely up to an instant: if nothing of it has been seen yet, it begins there. */
  readonly holds?: { readonly stream: string; readonly until: Date };
  /** Milliseconds to pause before requesting the next page. */
  readonly pauseMs?: number;
}

/** For accounting systems: the invoices of a whole year, as for a subscription, are created at once. */
export const A_YEAR_AHEAD = { days: 366 };

/** How to read one platform. Implementations are stateless: everything is in the step and the session. */
export interface Platform extends Authority {
  readonly name: PlatformName;
  readonly fields: readonly Field[];
  /** Kinds of records that are read one after the other, each with its own watermark. */
  readonly streams: readonly string[];
  /** How far back a new connector counts by default: whole months, so that the first one is not partial. */
  readonly history: { readonly days: number };
  /** How far back the platform is guaranteed to show orders, if it may hide older ones. */
  readonly shownFor?: { readonly days: number };
  /** How long before its date a document may have been changed last, if the platform allows future dates. */
  readonly datedAhead?: { readonly days: number };
  /** Makes a minimal request that requires the credentials. @returns the account's own name */
  check(api: ApiSession): Promise<string>;
  /** What does not stop a sync but leaves orders out, which may be intended. @returns undefined if there is nothing to say */
  caution?(api: ApiSession): Promise<string | undefined>;
  pull(api: ApiSession, step: PullStep): Promise<PulledPage>;
  /**
   * Reads one order as it is now; undefined if the platform does not have it. For platforms whose lists do not contain all of an order:
   * one of which the rest cannot be read is set aside.
   */
  readOrder?(api: ApiSession, id: string): Promise<SourceOrder | undefined>;
  readonly webhook?: WebhookProtocol;
}
