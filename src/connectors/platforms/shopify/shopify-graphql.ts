import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { accessDenied, shopInactive } from './shopify-refusal.js';

/** State of the bucket that query costs are deducted from, in points. */
export interface Throttle {
  readonly maximumAvailable: number;
  readonly currentlyAvailable: number;
  /** Points per second. */
  readonly restoreRate: number;
  /** Cost charged for the query in advance. */
  readonly requested: number;
}

interface GraphqlBody<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message?: string; readonly extensions?: { readonly code?: string } }[] | string;
  readonly extensions?: {
    readonly cost?: { readonly requestedQueryCost?: number; readonly throttleStatus?: Partial<Throttle> };
  };
}

/** @throws {PlatformFault} `wait` until the bucket covers the query's cost */
export async function askGraphql<Data>(
  api: ApiSession,
  url: string,
  question: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> },
): Promise<{ data: Data; throttle: Throttle | undefined }> {
  const { body } = await api.json<GraphqlBody<Data>>({ url, json: question });
  const throttle = throttleOf(body);
  const errors = typeof body.errors === 'string' ? [{ message: body.errors }] : (body.errors ?? []);
  const codes = errors.map((error) => ('extensions' in error ? error.extensions?.code : undefined));
  if (codes.includes('THROTTLED') || errors.some(({ message }) => message === 'Throttled')) {
    throw PlatformFault.wait(Math.max(1_000, throttle ? waitFor(throttle) : 2_000));
  }
  if (codes.includes('MAX_COST_EXCEEDED')) {
    throw PlatformFault.refused('query_too_costly', 'Shopify rejects the query for a single order as too costly.');
  }
  if (codes.includes('ACCESS_DENIED')) throw accessDenied(errors.map(({ message }) => message ?? '').join(' '));
  if (codes.includes('SHOP_INACTIVE')) throw shopInactive();
  if (codes.includes('INTERNAL_SERVER_ERROR')) {
    throw PlatformFault.passing('platform_error', 'Shopify answered with an internal error.');
  }
  if (errors.length > 0) {
    throw PlatformFault.refused(
      'request_refused',
      'Shopify rejects the query. Check that `api_version` is still supported.',
    );
  }
  // neither data nor an error: no answer to a query, but that of something in between
  if (!body.data) throw PlatformFault.passing('malformed_reply', 'Shopify answered without data.');
  return { data: body.data, throttle };
}

/** Milliseconds until the bucket covers the cost charged for the last query. */
export function waitFor({ requested, currentlyAvailable, restoreRate }: Throttle): number {
  return Math.max(0, Math.ceil(((requested - currentlyAvailable) / restoreRate) * 1_000));
}

function throttleOf<Data>({ extensions }: GraphqlBody<Data>): Throttle | undefined {
  const { requestedQueryCost: requested, throttleStatus } = extensions?.cost ?? {};
  const { maximumAvailable, currentlyAvailable, restoreRate } = throttleStatus ?? {};
  if (requested === undefined || maximumAvailable === undefined || currentlyAvailable === undefined || !restoreRate) {
    return undefined;
  }
  return { maximumAvailable, currentlyAvailable, restoreRate, requested };
}
