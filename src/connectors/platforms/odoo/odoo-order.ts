import type { SourceOrder } from '../../orders/order.js';
import type { ApiSession } from '../api-session.js';
import { listed } from '../list-field.js';
import { readRecords } from '../records.js';
import { type Channel, lineFieldsOf, type OdooLine } from './odoo-channel.js';
import { contextOf, dateOf, type Many2One, referredId, search, searchAll } from './odoo-search.js';
import { convert, readFactors, type Units } from './odoo-units.js';

interface OdooOrder {
  readonly id: number;
  readonly state: string;
  readonly date_order: string;
  readonly write_date: string;
}

interface Product {
  readonly id: number;
  readonly default_code: string | false;
  /** With the attributes of the variant: `T-shirt (Red)`. */
  readonly display_name: string;
  readonly uom_id: Many2One;
}

/** The orders as they stand, with what they count for. */
export async function readOrders(
  api: ApiSession,
  channel: Channel,
  ids: readonly number[],
): Promise<readonly (SourceOrder | undefined)[]> {
  if (ids.length === 0) return [];
  const orders = await search<OdooOrder>(api, channel.orders, {
    domain: [['id', 'in', ids]],
    fields: ['state', 'date_order', 'write_date'],
  });
  const lines = await searchAll<OdooLine>(api, channel.lines, {
    domain: [['order_id', 'in', ids]],
    fields: await lineFieldsOf(api, channel),
  });
  const products = await readProducts(api, lines);
  const unitsOf = ({ product_id, product_uom_id }: OdooLine): Units => ({
    sold: referredId(product_uom_id),
    kept: referredId(products.get(referredId(product_id) ?? NaN)?.uom_id),
  });
  const factors = await readFactors(api, lines.map(unitsOf));
  const states = channel.states ?? listed(api.value('counted_states'));
  const linesOf = Map.groupBy(lines, (line) => referredId(line.order_id));
  return readRecords(orders, (order) => {
    const own = linesOf.get(order.id) ?? [];
    const changes = [order, ...own].map(({ write_date }) => dateOf(write_date).getTime());
    return {
      id: `${channel.prefix}${order.id}`,
      updatedAt: new Date(Math.max(...changes)),
      placed: dateOf(order.date_order),
      lines: (states.includes(order.state) ? own : []).flatMap((line) => {
        const product = referredId(line.product_id);
        if (product === undefined) return []; // a heading or a note
        if (referredId(line.sale_order_line_id) !== undefined) return []; // counts with the sales order
        const known = products.get(product);
        const name = known?.display_name ?? line.name ?? (line.full_product_name || null);
        const quantity = convert(line.product_uom_qty ?? line.qty ?? NaN, unitsOf(line), factors);
        return [{ sku: known?.default_code || null, productId: String(product), name, quantity }];
      }),
    };
  });
}

async function readProducts(api: ApiSession, lines: readonly OdooLine[]): Promise<Map<number, Product>> {
  const ids = [...new Set(lines.map((line) => referredId(line.product_id)).filter((id) => id !== undefined))];
  const { lang } = await contextOf(api); // a request has English names else
  const products = await searchAll<Product>(api, 'product.product', {
    // products that are sold no more were sold then
    domain: [
      ['id', 'in', ids],
      ['active', 'in', [true, false]],
    ],
    fields: ['default_code', 'display_name', 'uom_id'],
    context: { lang, display_default_code: false }, // else the code is part of the name
  });
  return new Map(products.map((product) => [product.id, product]));
}
