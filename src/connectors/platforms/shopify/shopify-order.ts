import { firstText, type SourceLine, type SourceOrder } from '../../orders/order.js';
import { idOf } from '../records.js';

/** The requested fields of an order line (GraphQL). `product` and `variant` need the scope read_products, the rest read_orders. */
export const LINE_FIELDS = 'id sku title variantTitle quantity currentQuantity product { id } variant { id }';

export interface ShopifyLine {
  readonly sku: string | null;
  readonly title: string;
  readonly variantTitle: string | null;
  /** The quantity after removals and refunds. */
  readonly currentQuantity: number;
  readonly product: { readonly id: string } | null;
  readonly variant: { readonly id: string } | null;
}

export function toSourceLine(line: ShopifyLine): SourceLine {
  const product = line.variant ?? line.product;
  return {
    sku: line.sku,
    productId: product && numericId(product.id),
    name: nameOf(line.title, line.variantTitle),
    quantity: line.currentQuantity,
  };
}

/** An order in a webhook's body, in the format of the REST API. */
export interface ShopifyRestOrder {
  readonly id: number | string;
  readonly created_at?: string;
  readonly processed_at?: string | null;
  readonly updated_at?: string;
  readonly cancelled_at?: string | null;
  readonly test?: boolean;
  readonly line_items?: readonly {
    readonly id: number | string;
    readonly sku?: string | null;
    readonly title?: string;
    readonly name?: string;
    readonly variant_title?: string | null;
    readonly product_id?: number | null;
    readonly variant_id?: number | null;
    readonly quantity: number;
    readonly current_quantity?: number;
  }[];
  // the format of refunds is written from memory; they are only used if a line has no current_quantity
  readonly refunds?: readonly {
    readonly refund_line_items?: readonly { readonly line_item_id: number | string; readonly quantity: number }[];
  }[];
}

/**
 * @returns undefined if the body is not an order with its times and lines: a webhook may be configured to omit fields, and an order without
 * lines would count for nothing
 */
export function fromRestOrder(order: ShopifyRestOrder): SourceOrder | undefined {
  if (!order.line_items) return undefined;
  const placed = new Date(order.processed_at ?? order.created_at ?? '');
  const updatedAt = new Date(order.updated_at ?? '');
  if (Number.isNaN(placed.getTime()) || Number.isNaN(updatedAt.getTime())) return undefined;
  const counts = (order.cancelled_at ?? null) === null && order.test !== true;
  const refunded = new Map<string, number>();
  for (const { line_item_id, quantity } of (order.refunds ?? []).flatMap((refund) => refund.refund_line_items ?? [])) {
    refunded.set(String(line_item_id), (refunded.get(String(line_item_id)) ?? 0) + quantity);
  }
  const lines = order.line_items.map((line) => ({
    sku: line.sku ?? null,
    productId: firstText(line.variant_id, line.product_id),
    name: firstText(line.title && nameOf(line.title, line.variant_title ?? null), line.name),
    quantity: line.current_quantity ?? line.quantity - (refunded.get(String(line.id)) ?? 0),
  }));
  return { id: idOf(order.id), updatedAt, placed, lines: counts ? lines : [] };
}

/** The number in `gid://shopify/Order/123`, which identifies the same object in webhooks. */
export function numericId(gid: string): string {
  return gid.slice(gid.lastIndexOf('/') + 1);
}

function nameOf(title: string, variant: string | null): string {
  return variant === null || variant === '' || variant === 'Default Title' ? title : `${title} – ${variant}`;
}
