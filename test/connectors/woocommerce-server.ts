import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

export interface WooOrder {
  readonly id: number;
  status: string;
  date_created_gmt: string;
  date_modified_gmt: string;
  line_items: {
    readonly id: number;
    readonly name: string;
    readonly product_id: number;
    readonly variation_id: number;
    quantity: number;
    readonly sku: string;
    readonly price: number;
  }[];
  refunds: { readonly id: number }[];
}

/** WooCommerce's REST API v3 as far as orders go: Basic keys, lists by id with rows passed over by number, refunds apart. */
export class WooCommerceServer extends PlatformServer {
  readonly orders = new Map<number, WooOrder>();
  /** Refunded quantities by order and line. */
  readonly refunds = new Map<number, { readonly line: number; readonly quantity: number }[]>();
  /** Orders that cannot be loaded, as after the removal of a plugin: lists leave them out and count them all the same. */
  readonly broken = new Set<number>();
  key = 'ck_the_consumer_key';
  secret = 'cs_the_consumer_secret';

  /** What a connector to the shop is set to. */
  get settings() {
    return { site_url: this.url, consumer_key: this.key, consumer_secret: this.secret };
  }

  /** Takes an order of a day, changed after all before it. */
  sell(day: string, sku: string, quantity: number): void {
    const nth = this.orders.size + 1;
    this.add(nth, nth, [[sku, quantity]]).date_created_gmt = `${day}T12:00:00`;
  }

  /** @param modified seconds of 2026-11-01 */
  add(
    id: number,
    modified: number,
    lines: readonly [sku: string, quantity: number][],
    status = 'processing',
  ): WooOrder {
    const order: WooOrder = {
      id,
      status,
      date_created_gmt: '2026-10-15T12:00:00',
      date_modified_gmt: new Date(Date.UTC(2026, 10, 1, 0, 0, modified)).toISOString().slice(0, 19),
      line_items: lines.map(([sku, quantity], at) => ({
        id: id * 10 + at,
        name: `Product ${sku}`,
        product_id: 500 + at,
        variation_id: 0,
        quantity,
        sku,
        price: 9.9,
      })),
      refunds: [],
    };
    this.orders.set(id, order);
    return order;
  }

  protected answer(request: PlatformRequest): PlatformReply {
    const given = Buffer.from(request.headers['authorization']?.replace('Basic ', '') ?? '', 'base64').toString();
    // a key that it does not know is to WooCommerce as none
    if (!given.startsWith(`${this.key}:`)) return { status: 401, body: { code: 'woocommerce_rest_cannot_view' } };
    if (given !== `${this.key}:${this.secret}`) {
      return { status: 401, body: { code: 'woocommerce_rest_authentication_error' } };
    }
    const refunds = /^\/wp-json\/wc\/v3\/orders\/(\d+)\/refunds$/.exec(request.path)?.[1];
    if (refunds !== undefined) return { body: this.refundsOf(Number(refunds)) };
    const id = /^\/wp-json\/wc\/v3\/orders\/(\d+)$/.exec(request.path)?.[1];
    if (id !== undefined) {
      const order = this.orders.get(Number(id));
      return order ? { body: order } : { status: 404, body: { code: 'woocommerce_rest_shop_order_invalid_id' } };
    }
    if (request.path !== '/wp-json/wc/v3/orders') return { status: 404, body: { code: 'rest_no_route' } };
    if (!request.query.has('modified_after')) return { body: [] };
    return this.page(request.query);
  }

  private page(query: URLSearchParams): PlatformReply {
    const [size, offset] = [Number(query.get('per_page')), Number(query.get('offset'))];
    if (query.get('orderby') !== 'id' || query.get('order') !== 'asc' || !(size >= 1 && size <= 100)) {
      return { status: 400, body: { code: 'rest_invalid_param' } };
    }
    this.turnPage();
    const inTrash = query.get('status') === 'trash';
    const found = [...this.orders.values()]
      .filter(({ status }) => (status === 'trash') === inTrash)
      .filter(({ date_modified_gmt }) => date_modified_gmt > query.get('modified_after')!)
      .sort((a, b) => a.id - b.id);
    const headers = { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(Math.ceil(found.length / size)) };
    return { headers, body: found.slice(offset, offset + size).filter(({ id }) => !this.broken.has(id)) };
  }

  private refundsOf(order: number): unknown {
    if (!this.orders.has(order)) return [];
    return [
      {
        id: 1,
        line_items: (this.refunds.get(order) ?? []).map(({ line, quantity }) => ({
          product_id: 500,
          variation_id: 0,
          quantity: -quantity,
          meta_data: [{ key: '_refunded_item_id', value: String(line) }],
        })),
      },
    ];
  }
}
