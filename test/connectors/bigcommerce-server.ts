import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

export interface BigCommerceOrder {
  readonly id: number;
  status_id: number;
  is_deleted: boolean;
  readonly date_created: string;
  date_modified: string;
  /** Those that are no product of the catalog have 0 for its ids. */
  lines: {
    readonly sku: string;
    readonly name: string;
    readonly quantity: number;
    quantity_refunded: number;
    readonly product_id?: number;
    readonly variant_id?: number;
  }[];
}

/**
 * BigCommerce's V2 orders: lists by id from a least one on, 204 for an empty page, lines included or apart, an allowance told in
 * headers.
 */
export class BigCommerceServer extends PlatformServer {
  readonly orders = new Map<number, BigCommerceOrder>();
  token = 'the-api-account-token';
  /** Whether lines come with the orders, or only by their own address. */
  includes = true;
  /** Whether consignments come with the addresses of their lines, in place of the lines. */
  links = false;
  /** Lines of a consignment that come with an order. */
  includedLines = 50;
  left = 100;
  resetMs = 1_500;

  /** What a connector to the store is set to. */
  get settings() {
    return { store_hash: 'abc123', access_token: this.token, api_url: this.url };
  }

  /** @param modified seconds of 2026-11-01 */
  add(
    id: number,
    modified: number,
    sku: string,
    quantity: number,
    overrides: Partial<BigCommerceOrder> = {},
  ): BigCommerceOrder {
    const order = {
      id,
      status_id: 11,
      is_deleted: false,
      date_created: 'Thu, 15 Oct 2026 12:00:00 +0000',
      date_modified: new Date(Date.UTC(2026, 10, 1, 0, 0, modified)).toUTCString().replace('GMT', '+0000'),
      lines: [{ sku, name: `Product ${sku}`, quantity, quantity_refunded: 0 }],
      ...overrides,
    };
    this.orders.set(id, order);
    return order;
  }

  protected answer({ path, query, headers }: PlatformRequest): PlatformReply {
    const allowance = {
      'x-rate-limit-requests-quota': '150',
      'x-rate-limit-requests-left': String(this.left),
      'x-rate-limit-time-window-ms': '30000',
      'x-rate-limit-time-reset-ms': String(this.resetMs),
    };
    if (headers['x-auth-token'] !== this.token) return { status: 401, body: { title: 'Unauthorized' } };
    if (this.left <= 0) return { status: 429, headers: allowance, body: { status: 429 } };
    const [, id, products] = /^\/stores\/abc123\/v2\/orders(?:\/(\d+))?(\/products)?$/.exec(path) ?? [];
    if (products !== undefined) {
      const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))];
      const found = lines(this.orders.get(Number(id))!).slice(limit * (page - 1), limit * page);
      return found.length === 0 ? { status: 204, headers: allowance } : { body: found, headers: allowance };
    }
    if (id !== undefined) {
      const order = this.orders.get(Number(id));
      return order ? { body: this.shown(order), headers: allowance } : { status: 404, body: [{ status: 404 }] };
    }
    if (!['id:asc', null].includes(query.get('sort'))) return { status: 400, body: [{ status: 400 }] };
    this.turnPage();
    const since = new Date(query.get('min_date_modified') ?? 0);
    const found = [...this.orders.values()]
      .filter((order) => new Date(order.date_modified) >= since && order.id >= Number(query.get('min_id') ?? 0))
      .sort((a, b) => a.id - b.id)
      .slice(0, Number(query.get('limit')));
    return found.length === 0
      ? { status: 204, headers: allowance }
      : { body: found.map((order) => this.shown(order)), headers: allowance };
  }

  private shown(order: BigCommerceOrder): unknown {
    const { lines: _, ...rest } = order;
    const resource = `/orders/${order.id}/products`;
    const line_items = this.links
      ? order.lines.map((_line, at) => ({ url: `${this.url}${resource}/${at}`, resource: `${resource}/${at}` }))
      : lines(order).slice(0, this.includedLines);
    const message = 'Not all line items of this consignment are returned with this response.';
    const warning = order.lines.length > this.includedLines ? { __warning__: { message } } : {};
    const consignments = { shipping: [{ line_items, ...warning }], downloads: [], email: { gift_certificates: [] } };
    return { ...rest, ...(this.includes ? { consignments } : { consignments: { url: 'elsewhere' } }) };
  }
}

function lines({ id, lines: own }: BigCommerceOrder): unknown[] {
  return own.map((line, at) => ({ id: id * 10 + at, product_id: 70 + at, variant_id: 90 + at, ...line }));
}
