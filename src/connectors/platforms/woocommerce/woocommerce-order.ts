import { firstText, type SourceOrder } from '../../orders/order.js';
import type { ApiSession } from '../api-session.js';
import { listed } from '../list-field.js';
import { askFor, idOf, readAll } from '../records.js';

/** Refunds that one request gives at most. */
const REFUNDS = 100;

interface WooLine {
  readonly id: number;
  readonly name: string;
  readonly product_id: number;
  readonly variation_id: number;
  readonly quantity: number;
  readonly sku: string | null;
}

export interface WooOrder {
  readonly id: number;
  readonly status: string;
  /** UTC without saying so, as all `_gmt` times are. */
  readonly date_created_gmt: string;
  readonly date_modified_gmt: string;
  /** Lines of a product that is deleted for good have neither its ids nor its SKU. */
  readonly line_items: readonly WooLine[];
  readonly refunds?: readonly { readonly id: number }[];
}

interface WooMeta {
  readonly key: string;
  readonly value: unknown;
}

interface WooRefund {
  readonly line_items?: readonly {
    readonly product_id: number;
    readonly variation_id: number;
    /** Below zero. */
    readonly quantity: number;
    /** PHP writes a list from which a plugin has removed an entry as an object. */
    readonly meta_data?: readonly WooMeta[] | Readonly<Record<string, WooMeta>>;
  }[];
}

/** An order with what was refunded taken off; asks for the refunds where there are any. */
export async function toOrder(api: ApiSession, order: WooOrder): Promise<SourceOrder> {
  const counts = listed(api.value('counted_statuses')).includes(order.status);
  const refunded =
    counts && (order.refunds ?? []).length > 0 ? await refundedQuantities(api, order) : new Map<number, number>();
  const lines = counts && refunded ? order.line_items : [];
  return {
    id: idOf(order.id),
    updatedAt: utc(order.date_modified_gmt),
    placed: utc(order.date_created_gmt),
    lines: lines.map((line) => ({
      sku: line.sku,
      productId: firstText(line.variation_id || null, line.product_id || null),
      name: line.name,
      quantity: line.quantity - (refunded?.get(line.id) ?? 0),
    })),
  };
}

/** An order as the shop has it, which may be in the trash; undefined where it is deleted for good. */
export async function readOrder(api: ApiSession, id: string): Promise<SourceOrder | undefined> {
  const order = await api.patiently(() => findOrder(api, id));
  return order && toOrder(api, order);
}

async function findOrder(api: ApiSession, id: string): Promise<WooOrder | undefined> {
  const order = await api.find<WooOrder>({ url: addressOf(api, id) });
  if (order !== undefined) idOf(order.id); // throws if the response is no order
  return order;
}

const addressOf = (api: ApiSession, rest: string): string => `${api.value('site_url')}/wp-json/wc/v3/orders/${rest}`;

/** `2026-11-21T06:00:00` as the instant it is. */
function utc(text: string): Date {
  return new Date(`${text.slice(0, 19)}Z`);
}

/** Quantities by line, which a refund names in its metadata; undefined where the order has been deleted since it was listed. */
function refundedQuantities(api: ApiSession, order: WooOrder): Promise<Map<number, number> | undefined> {
  // of several lines of a product the first
  const lineOf = new Map(order.line_items.toReversed().map((own) => [productOf(own), own.id]));
  return askFor(async () => {
    const refunds = await readRefunds(api, order.id);
    // of an order that it does not have WooCommerce lists no refunds, and says nothing else
    const gone = refunds.length === 0 && !(await api.patiently(() => findOrder(api, String(order.id))));
    if (gone) return undefined;
    const refunded = new Map<number, number>();
    for (const line of refunds.flatMap((refund) => refund.line_items ?? [])) {
      const named = Number(Object.values(line.meta_data ?? {}).find(({ key }) => key === '_refunded_item_id')?.value);
      const id = Number.isInteger(named) ? named : lineOf.get(productOf(line));
      if (id !== undefined) refunded.set(id, (refunded.get(id) ?? 0) + Math.abs(line.quantity));
    }
    return refunded;
  });
}

function readRefunds(api: ApiSession, id: number): Promise<readonly WooRefund[]> {
  const url = addressOf(api, `${id}/refunds`);
  return readAll<WooRefund>(async (known) => {
    const query = { per_page: String(REFUNDS), page: String(known.length / REFUNDS + 1) };
    const { body: records } = await api.patiently(() => api.json<readonly WooRefund[]>({ url, query }));
    return { records, more: records.length === REFUNDS };
  });
}

const productOf = ({ product_id, variation_id }: Pick<WooLine, 'product_id' | 'variation_id'>): string =>
  `${product_id} ${variation_id}`;
