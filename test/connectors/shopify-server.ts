import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

export interface Line {
  readonly sku: string | null;
  readonly quantity: number;
  readonly currentQuantity?: number;
  readonly title?: string;
  readonly variant?: number;
}

export interface Order {
  readonly id: number;
  readonly processedAt: string;
  updatedAt: string;
  cancelledAt?: string | null;
  readonly test?: boolean;
  lines: Line[];
}

interface Question {
  readonly query: string;
  readonly variables?: { first: number; after: string | null; query: string; lines: number; id: string };
}

/** Shopify's GraphQL Admin API as far as orders go: cursors, the cost bucket, token expiry and refresh. */
export class ShopifyServer extends PlatformServer {
  readonly orders = new Map<number, Order>();
  token = 'shpat_first_token_of_the_shop';
  refreshToken = 'shprt_first_refresh_token';
  /** Whether the app may get tokens by its own credentials. */
  installed = true;
  /** What the app may read. */
  scopes = ['read_orders', 'read_products'];
  /** Points in the bucket; refilled only by tests. Undefined tells no cost. */
  bucket: number | undefined;
  /** Points in the bucket after a refusal, as if the client had waited; undefined leaves it to the test. */
  refilled: number | undefined;
  /** Cost of further lines of one order. */
  costOfLines = 0;
  /** Cost of an order on a page; a query above 1,000 points is refused. */
  costPerOrder = 10;
  refreshes = 0;

  /** What a connector of this shop is made with. */
  get settings() {
    return { shop: 'example.myshopify.com', access_token: this.token, api_url: this.url };
  }

  add(order: Partial<Order> & { id: number; lines: Line[] }): Order {
    const placed = order.processedAt ?? new Date(Date.now() - 86_400_000).toISOString();
    const whole = { processedAt: placed, updatedAt: placed, ...order };
    this.orders.set(whole.id, whole);
    return whole;
  }

  protected answer(request: PlatformRequest): PlatformReply {
    if (request.path === '/admin/oauth/access_token') return this.refresh(request);
    if (request.path !== '/admin/api/2026-10/graphql.json') return { status: 404, body: { errors: 'Not Found' } };
    if (request.headers['x-shopify-access-token'] !== this.token) {
      return { status: 401, body: { errors: '[API] Invalid API key or access token' } };
    }
    const { query, variables } = JSON.parse(request.body) as Question;
    const denied = this.denied(query);
    if (query.includes('shop { name }')) {
      const data = { shop: { name: 'Example Shop' }, orders: { nodes: [] }, products: { nodes: [] } };
      return { body: { data, ...denied } };
    }
    if (denied) return { body: { data: null, ...denied } };
    if (query.includes('OrderLines')) return this.charge(this.costOfLines) ?? this.moreLines(variables!);
    if (query.includes('query Order(')) return this.order(variables!);
    const cost = variables!.first * this.costPerOrder;
    if (cost > 1_000) {
      return { body: { errors: [{ message: 'too costly', extensions: { code: 'MAX_COST_EXCEEDED' } }] } };
    }
    return this.charge(cost) ?? { body: { data: { orders: this.page(variables!) }, extensions: this.cost(cost) } };
  }

  /** The refusal of the first field that a query asks for and the app may not read. */
  private denied(query: string): { readonly errors: readonly unknown[] } | undefined {
    const needed = [
      ['orders', 'read_orders'],
      ['order', 'read_orders'],
      ['products', 'read_products'],
      ['product', 'read_products'],
      ['variant', 'read_products'],
    ] as const;
    const lacking = needed.find(
      ([field, scope]) => new RegExp(`\\b${field}\\b *[({]`).test(query) && !this.scopes.includes(scope),
    );
    if (!lacking) return undefined;
    const message = `Access denied for ${lacking[0]} field. Required access: \`${lacking[1]}\` access scope.`;
    return { errors: [{ message, extensions: { code: 'ACCESS_DENIED' } }] };
  }

  /** Takes the cost from the bucket. @returns the refusal where it does not hold as much */
  private charge(cost: number): PlatformReply | undefined {
    if (this.bucket === undefined) return undefined;
    if (this.bucket >= cost) {
      this.bucket -= cost;
      return undefined;
    }
    const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }];
    const refusal = { body: { errors, extensions: this.cost(cost) } };
    this.bucket = this.refilled ?? this.bucket;
    return refusal;
  }

  private refresh({ body }: PlatformRequest): PlatformReply {
    const asked = JSON.parse(body) as Record<string, string>;
    const fits = asked['client_id'] === 'the-client' && asked['client_secret'] === 'the-client-secret';
    if (fits && asked['grant_type'] === 'client_credentials') {
      if (!this.installed) return { status: 400, body: { error: 'app_not_installed' } };
      this.refreshes += 1;
      this.token = `shpat_token_${this.refreshes}_of_a_day`;
      return { body: { access_token: this.token, scope: this.scopes.join(','), expires_in: 86_399 } };
    }
    const refreshes = fits && asked['grant_type'] === 'refresh_token';
    if (!refreshes || asked['refresh_token'] !== this.refreshToken) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    this.refreshes += 1;
    this.token = `shpat_token_${this.refreshes}_after_refresh`;
    this.refreshToken = `shprt_refresh_${this.refreshes}_after_refresh`;
    return { body: { access_token: this.token, refresh_token: this.refreshToken, expires_in: 3_600 } };
  }

  private page({ first, after, query, lines }: NonNullable<Question['variables']>): unknown {
    const since = /^updated_at:>='([^']+)'$/.exec(query)?.[1];
    if (since === undefined) throw new Error(`not a query of orders by change: ${query}`);
    const key = ({ updatedAt, id }: Order): string =>
      `${new Date(updatedAt).toISOString()} ${String(id).padStart(12, '0')}`;
    const position = after === null ? '' : Buffer.from(after, 'base64url').toString();
    const found = [...this.orders.values()]
      .filter((order) => new Date(order.updatedAt) >= new Date(since) && key(order) > position)
      .sort((a, b) => (key(a) < key(b) ? -1 : 1));
    const nodes = found.slice(0, first);
    const last = nodes.at(-1);
    return {
      pageInfo: {
        hasNextPage: found.length > first,
        endCursor: last ? Buffer.from(key(last)).toString('base64url') : null,
      },
      nodes: nodes.map((order) => shown(order, lines)),
    };
  }

  private order({ id, lines }: NonNullable<Question['variables']>): PlatformReply {
    const order = this.orders.get(Number(id.split('/').at(-1)));
    return { body: { data: { order: order ? shown(order, lines) : null }, extensions: this.cost(1) } };
  }

  private moreLines({ id, first, after }: NonNullable<Question['variables']>): PlatformReply {
    const order = this.orders.get(Number(id.split('/').at(-1)));
    const data = { order: order ? { lineItems: linePage(order, Number(after), first) } : null };
    return { body: { data, extensions: this.cost(this.costOfLines) } };
  }

  private cost(requestedQueryCost: number): unknown {
    if (this.bucket === undefined) return {};
    const throttleStatus = { maximumAvailable: 1_000, currentlyAvailable: this.bucket, restoreRate: 500 };
    return { cost: { requestedQueryCost, throttleStatus } };
  }
}

function shown(order: Order, lines: number): unknown {
  return {
    id: `gid://shopify/Order/${order.id}`,
    processedAt: order.processedAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt ?? null,
    test: order.test ?? false,
    lineItems: linePage(order, 0, lines),
  };
}

function linePage({ id, lines }: Order, from: number, count: number): unknown {
  return {
    pageInfo: { hasNextPage: lines.length > from + count, endCursor: String(from + count) },
    nodes: lines.slice(from, from + count).map(({ sku, quantity, currentQuantity, title, variant }, at) => ({
      id: `gid://shopify/LineItem/${id}${from + at}`,
      sku,
      title: title ?? `Product ${sku}`,
      variantTitle: 'Default Title',
      quantity,
      currentQuantity: currentQuantity ?? quantity,
      product: null,
      variant: variant === undefined ? null : { id: `gid://shopify/ProductVariant/${variant}` },
    })),
  };
}
