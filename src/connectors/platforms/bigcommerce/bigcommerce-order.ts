import { firstText, type SourceOrder } from '../../orders/order.js';
import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { listed } from '../list-field.js';
import { idOf, readAll } from '../records.js';

/** Includes the lines of the orders. */
export const INCLUDE = { include: 'consignments.line_items', consignment_structure: 'object' };
const LINES = 250;
/** Maximum number of a consignment's lines included with an order. If there are more, a `__warning__` in the consignment says so. */
const INCLUDED_LINES = 50;

interface BigCommerceLine {
  readonly sku?: string | null;
  readonly name?: string;
  /** 0 for custom products and gift certificates, like the variant's: developer.bigcommerce.com, List Order Products. */
  readonly product_id?: number;
  readonly variant_id?: number | null;
  readonly quantity: number;
  readonly quantity_refunded?: number;
}

/** In place of lines that were not requested or are not shown (`products_Resource` of the V2 schema). */
interface LineAddress {
  readonly url: string;
}

interface Consignment {
  readonly line_items?: readonly (BigCommerceLine | LineAddress)[];
  readonly __warning__?: unknown;
}

export interface BigCommerceOrder {
  readonly id: number;
  readonly status_id: number;
  readonly is_deleted?: boolean;
  /** RFC 2822. */
  readonly date_created: string;
  readonly date_modified: string;
  /** Groups of consignments by shipping method; a link if they were not requested. */
  readonly consignments?: unknown;
}

/** @param rest the path after `/orders` */
export function addressOf(api: ApiSession, rest: string): string {
  return `${api.value('api_url')}/stores/${api.value('store_hash')}/v2/orders${rest}`;
}

/** An order with its lines, which are requested separately if any are missing. */
export async function toOrder(api: ApiSession, order: BigCommerceOrder): Promise<SourceOrder> {
  const skipped = listed(api.value('skipped_statuses')).map(Number).includes(order.status_id);
  const counts = order.is_deleted !== true && !skipped;
  const lines = counts ? (includedLines(order.consignments) ?? (await readLines(api, order.id))) : [];
  return {
    id: idOf(order.id),
    updatedAt: new Date(order.date_modified),
    placed: new Date(order.date_created),
    lines: lines.map((line) => ({
      sku: line.sku ?? null,
      productId: firstText(line.variant_id || null, line.product_id || null),
      name: line.name ?? null,
      quantity: line.quantity - (line.quantity_refunded ?? 0),
    })),
  };
}

/** An order as the store has it; undefined if it does not show it. */
export async function readOrder(api: ApiSession, id: string): Promise<SourceOrder | undefined> {
  const request = { url: addressOf(api, `/${id}`), query: INCLUDE };
  const order = await api.patiently(() => api.find<BigCommerceOrder>(request));
  return order && toOrder(api, order);
}

/** The lines of all consignments, however they are grouped; undefined if they are missing or may be incomplete. */
function includedLines(consignments: unknown): readonly BigCommerceLine[] | undefined {
  if (typeof consignments !== 'object' || consignments === null) return undefined;
  const groups = Object.values(consignments).flat() as readonly (Consignment | null)[];
  const found = groups.flatMap((consignment) => consignment?.line_items ?? []);
  return found.length > 0 && found.every(isLine) && !groups.some(isCut) ? found : undefined;
}

const isLine = (line: BigCommerceLine | LineAddress): line is BigCommerceLine => 'quantity' in line;

const isCut = (consignment: Consignment | null): boolean =>
  consignment?.__warning__ !== undefined || (consignment?.line_items ?? []).length >= INCLUDED_LINES;

function readLines(api: ApiSession, order: number): Promise<readonly BigCommerceLine[]> {
  const url = addressOf(api, `/${order}/products`);
  return readAll<BigCommerceLine>(async (known) => {
    const query = { limit: String(LINES), page: String(known.length / LINES + 1) };
    const reply = await api.patiently(() => api.send({ url, query }, [404]));
    if (reply.status === 404)
      throw PlatformFault.passing('platform_error', 'BigCommerce does not show the order lines yet.');
    if (reply.status !== 200) return { records: [], more: false }; // past the end
    const records = JSON.parse(reply.body) as readonly BigCommerceLine[];
    return { records, more: records.length === LINES };
  });
}
