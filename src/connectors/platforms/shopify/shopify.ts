import { HOUR_MS } from '../../../platform/durations.js';
import { PlatformFault } from '../../platform-fault.js';
import { firstText, type SourceOrder } from '../../orders/order.js';
import type { ApiSession } from '../api-session.js';
import type { SendUnauthorized } from '../token-endpoint.js';
import type { FieldValues } from '../../credentials/field.js';
import type { Platform, PulledPage, PullStep } from '../platform.js';
import { issuedTokens } from '../oauth.js';
import { shopifyWebhook } from './shopify-webhook.js';
import { askGraphql, type Throttle, waitFor } from './shopify-graphql.js';
import { accessDenied, shopFault } from './shopify-refusal.js';
import { LINE_FIELDS, numericId, type ShopifyLine, toSourceLine } from './shopify-order.js';
import { askFor, latestChange, readRecords } from '../records.js';

/** Initial number of orders per page; a page that costs too much is requested again at half the size. */
const PAGE = 50;
const LINES = 20;
const MORE_LINES = 250;
/** Maximum plausible number of lines per order; Shopify allows 500. */
const MAX_LINES = 10_000;

interface Position {
  readonly after: string | null;
  readonly size: number;
}

interface Connection<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly Node[];
}

interface ShopifyOrder {
  readonly id: string;
  readonly processedAt: string;
  readonly updatedAt: string;
  readonly cancelledAt: string | null;
  readonly test: boolean;
  readonly lineItems: Connection<ShopifyLine>;
}

// Shopify documents the query's cursor, sort key and cost; the field names are written from memory of the schema, whose version is
// `api_version`.
const ORDER_FIELDS = `id processedAt updatedAt cancelledAt test
  lineItems(first: $lines) { pageInfo { hasNextPage endCursor } nodes { ${LINE_FIELDS} } }`;
const ORDERS = `query Orders($first: Int!, $after: String, $query: String!, $lines: Int!) {
  orders(first: $first, after: $after, sortKey: UPDATED_AT, query: $query) {
    pageInfo { hasNextPage endCursor }
    nodes { ${ORDER_FIELDS} }
  }
}`;
const ORDER = `query Order($id: ID!, $lines: Int!) { order(id: $id) { ${ORDER_FIELDS} } }`;
const ORDER_LINES = `query OrderLines($id: ID!, $first: Int!, $after: String) {
  order(id: $id) { lineItems(first: $first, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${LINE_FIELDS} } } }
}`;

/** Shopify through its GraphQL Admin API: shopify.dev/docs/api/admin-graphql. */
export const shopify: Platform = {
  name: 'shopify',
  fields: [
    {
      name: 'shop',
      kind: 'text',
      required: true,
      identifies: true,
      pattern: {
        matches: /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/,
        says: 'must be the domain of the shop, such as example.myshopify.com',
      },
    },
    { name: 'access_token', kind: 'secret', required: false, unless: ['client_id', 'client_secret'] },
    { name: 'client_secret', kind: 'secret', required: false, graceMs: HOUR_MS },
    { name: 'client_id', kind: 'text', required: false },
    { name: 'refresh_token', kind: 'secret', required: false },
    {
      name: 'api_version',
      kind: 'text',
      required: false,
      fallback: '2026-10',
      pattern: { matches: /^\d{4}-\d{2}$/, says: 'must be an API version such as 2026-10' },
    },
    { name: 'api_url', kind: 'address', required: false },
  ],
  streams: ['orders'],
  history: { days: 60 }, // older orders need the scope read_all_orders
  shownFor: { days: 50 }, // less, since reading a large shop may take days

  authorize: (values) => ({ 'x-shopify-access-token': values['access_token'] ?? '' }),

  /** Uses the refresh token or else the client credentials grant, by which apps get tokens for shops of their own organization. */
  async refresh(values: FieldValues, send: SendUnauthorized): Promise<FieldValues> {
    const { client_id, client_secret, refresh_token } = values;
    if (client_id === undefined || client_secret === undefined) {
      throw PlatformFault.reconnect('credentials_refused', 'Shopify rejects the access token.');
    }
    const grant =
      refresh_token === undefined
        ? { grant_type: 'client_credentials' }
        : { grant_type: 'refresh_token', refresh_token };
    const issued = await send({
      url: `${baseOf(values)}/admin/oauth/access_token`,
      json: { client_id, client_secret, ...grant },
    }).catch((fault: unknown) => {
      // Shopify has error codes of its own for an app that is not installed, or belongs to another organization; a frozen or locked shop
      // (402, 423) accepts the same credentials again later
      const status = fault instanceof PlatformFault ? fault.status : undefined;
      if (![400, 401].includes(status ?? 0)) throw shopFault(status) ?? fault;
      throw PlatformFault.reconnect(
        'credentials_refused',
        'Shopify does not issue an access token for the shop to the app.',
      );
    });
    return issuedTokens(issued);
  },

  refusal({ status, body }) {
    // an app that was removed from the shop, or lost its scope
    if (status === 403 && /access denied|requires merchant approval|scope/i.test(body)) return accessDenied(body);
    return shopFault(status);
  },

  async check(api: ApiSession): Promise<string> {
    // orders and the products of their lines are what matters: a token that lacks either scope must fail even if the shop has no orders,
    // and one with both passes even if it may not read the name
    const { data } = await askGraphql<{ shop?: { name: string } }>(api, endpointOf(api), {
      query: '{ shop { name } orders(first: 1) { nodes { id } } products(first: 1) { nodes { id } } }',
    });
    return data.shop ? data.shop.name : api.value('shop');
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const { after, size } = (step.position as Position | null) ?? { after: null, size: PAGE };
    const query = `updated_at:>='${step.since.toISOString()}'`;
    const variables = { first: size, after, query, lines: LINES };
    const asked = await askGraphql<{ orders: Connection<ShopifyOrder> }>(api, endpointOf(api), {
      query: ORDERS,
      variables,
    }).catch((fault: unknown) => {
      if (fault instanceof PlatformFault && fault.code === 'query_too_costly' && size > 1) return undefined;
      throw fault;
    });
    if (asked === undefined) return { orders: [], next: { after, size: Math.floor(size / 2) }, seen: null };
    const { nodes, pageInfo } = asked.data.orders;
    let { throttle } = asked;
    const orders = await readRecords(
      nodes,
      async (order) => {
        const read = await readLines(api, order);
        if (throttle && read.throttle) throttle = { ...read.throttle, requested: throttle.requested };
        return toOrder(order, read.lines);
      },
      { ...step, orderId: ({ id }) => numericId(firstText(id) ?? '') },
    );
    return {
      orders,
      next: pageInfo.hasNextPage ? { after: pageInfo.endCursor, size } : null,
      seen: latestChange(orders),
      pauseMs: pause(throttle),
    };
  },

  async readOrder(api: ApiSession, id: string): Promise<SourceOrder | undefined> {
    const variables = { id: `gid://shopify/Order/${id}`, lines: LINES };
    const { data } = await api.patiently(() =>
      askGraphql<{ order: ShopifyOrder | null }>(api, endpointOf(api), { query: ORDER, variables }),
    );
    return data.order === null ? undefined : toOrder(data.order, (await readLines(api, data.order)).lines);
  },

  webhook: shopifyWebhook,
};

/** All lines of an order: those included with it and the remaining ones. @returns also the bucket after the last request */
function readLines(
  api: ApiSession,
  { id, lineItems }: ShopifyOrder,
): Promise<{ lines: readonly ShopifyLine[]; throttle: Throttle | undefined }> {
  const lines = [...lineItems.nodes];
  let { hasNextPage, endCursor } = lineItems.pageInfo;
  return askFor(async () => {
    let throttle: Throttle | undefined;
    while (hasNextPage) {
      const variables = { id, first: MORE_LINES, after: endCursor };
      const asked = await api.patiently(() =>
        askGraphql<{ order: { lineItems: Connection<ShopifyLine> } | null }>(api, endpointOf(api), {
          query: ORDER_LINES,
          variables,
        }),
      );
      throttle = asked.throttle;
      const further = asked.data.order?.lineItems;
      if (!further) break; // removed in the meantime
      lines.push(...further.nodes);
      const stands = further.pageInfo.endCursor === endCursor;
      ({ hasNextPage, endCursor } = further.pageInfo);
      if (hasNextPage && (stands || lines.length > MAX_LINES)) {
        throw PlatformFault.passing('malformed_reply', 'The list of order lines does not end.');
      }
    }
    return { lines, throttle };
  });
}

function toOrder(order: ShopifyOrder, lines: readonly ShopifyLine[]): SourceOrder {
  const counts = order.cancelledAt === null && !order.test;
  return {
    id: numericId(order.id),
    updatedAt: new Date(order.updatedAt),
    placed: new Date(order.processedAt),
    lines: counts ? lines.map(toSourceLine) : [],
  };
}

/** Lets the bucket refill to the cost of the next page, assumed to equal that of the last one. */
function pause(throttle: Throttle | undefined): number {
  return throttle ? waitFor(throttle) : 0;
}

const baseOf = (values: FieldValues): string => values['api_url'] ?? `https://${values['shop']}`;
const endpointOf = (api: ApiSession): string =>
  `${baseOf(api.values)}/admin/api/${api.value('api_version')}/graphql.json`;
