import type { Field } from '../field.js';
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

/** Where a pull goes on. */
export interface PullStep<Position = unknown> {
  readonly stream: string;
  /** Whether nothing of the stream was seen yet by a sync that read it to its end. */
  readonly isNew: boolean;
  /** Orders changed from this instant on. */
  readonly since: Date;
  /** What the former page gave as its next; null on the first. */
  readonly position: Position | null;
  /** In a row, since the last page that was read; none where it is absent. */
  readonly faults?: number;
}

export interface PulledPage {
  /** Undefined for a record that has not the form it should have. */
  readonly orders: readonly (SourceOrder | undefined)[];
  /** What the platform listed, where that was not the orders but what has changed of them; as JSON tells it apart. */
  readonly listed?: readonly unknown[];
  /** Whether records of the former page came again; they are not among the orders. */
  readonly repeats?: boolean;
  /** JSON; null after the last page. */
  readonly next: unknown;
  /** The latest change on the page, also of what is not counted. */
  readonly seen: Date | null;
  /** Another stream of which this one brings all up to an instant: where nothing of it was seen yet, it begins there. */
  readonly holds?: { readonly stream: string; readonly until: Date };
  /** Milliseconds to leave the platform alone before the next page. */
  readonly pauseMs?: number;
}

/** Of accounting systems: a year's invoices, as of a subscription, are made at once. */
export const A_YEAR_AHEAD = { days: 366 };

/** How one platform is read. Implementations keep no state: everything is in the step and the session. */
export interface Platform extends Authority {
  readonly name: PlatformName;
  readonly fields: readonly Field[];
  /** Kinds of records that are read one after the other, each with a watermark of its own. */
  readonly streams: readonly string[];
  /** How far back a new connector counts where it is not told: whole months, so that the first one is not partial. */
  readonly history: { readonly days: number };
  /** How far back the platform shows orders in any case, where it may hide older ones. */
  readonly shownFor?: { readonly days: number };
  /** How long before its day a document may have changed for the last time, where the platform lets it be dated ahead. */
  readonly datedAhead?: { readonly days: number };
  /** Makes the smallest request that needs the credentials. @returns what the account calls itself */
  check(api: ApiSession): Promise<string>;
  pull(api: ApiSession, step: PullStep): Promise<PulledPage>;
  readonly webhook?: WebhookProtocol;
}
