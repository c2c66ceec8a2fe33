import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { call, type Many2One, requestOf } from './odoo-search.js';

export interface OdooLine {
  readonly id: number;
  readonly order_id: Many2One;
  readonly product_id: Many2One;
  readonly write_date: string;
  /** Of `sale.order.line`, as the two that follow. */
  readonly name?: string;
  readonly product_uom_qty?: number;
  readonly product_uom_id?: Many2One;
  /** Of `pos.order.line`, as the two that follow: its quantities are in the unit of the product. */
  readonly full_product_name?: string | false;
  readonly qty?: number;
  /** The line of a sales order that was paid there, which counts in its place. Only if both apps are linked (`pos_sale`). */
  readonly sale_order_line_id?: Many2One;
}

/** One of the apps by which Odoo sells. */
export interface Channel {
  readonly orders: string;
  readonly lines: string;
  readonly lineFields: readonly (keyof OdooLine)[];
  /** Before the ids of its orders: those of both apps begin with 1. */
  readonly prefix: string;
  /** In which its orders count; those of the connector's field where there are none. */
  readonly states?: readonly string[];
}

const COMMON = ['order_id', 'product_id', 'write_date'] as const;

export const SALES: Channel = {
  orders: 'sale.order',
  lines: 'sale.order.line',
  lineFields: [...COMMON, 'name', 'product_uom_qty', 'product_uom_id'],
  prefix: '',
};

export const POINT_OF_SALE: Channel = {
  orders: 'pos.order',
  lines: 'pos.order.line',
  lineFields: [...COMMON, 'full_product_name', 'qty'],
  prefix: 'pos.order,',
  states: ['paid', 'done'], // done is paid, in a session that is closed
};

/** The fields to ask for of the lines of a channel. */
export async function lineFieldsOf(api: ApiSession, channel: Channel): Promise<readonly string[]> {
  if (channel !== POINT_OF_SALE) return channel.lineFields;
  const linked = await api.once('what links the apps', () =>
    call<object>(api, `${channel.lines}/fields_get`, { allfields: ['sale_order_line_id'], attributes: ['type'] }),
  );
  return [...channel.lineFields, ...Object.keys(linked)];
}

/** Whether the user of the key may read the orders of a channel; undefined where its app is not installed. */
export function mayRead(api: ApiSession, { lines }: Channel): Promise<boolean | undefined> {
  const request = requestOf(api, `${lines}/has_access`, { operation: 'read' });
  return api.once(`access to ${lines}`, () => api.find<boolean>(request));
}

/**
 * The channels that are read. A point of sale that the user of the key may not read is left out where there are sales orders: who did
 * not know of it has a key without the right.
 * @throws {PlatformFault} where there is none
 */
export async function channelsOf(api: ApiSession): Promise<readonly Channel[]> {
  const sales = await mayRead(api, SALES);
  const pointOfSale = await mayRead(api, POINT_OF_SALE);
  if (sales === undefined && pointOfSale === undefined) {
    const message = 'Odoo has neither sales orders nor a point of sale. Install its Sales or Point of Sale app.';
    throw PlatformFault.closed('request_refused', message);
  }
  if (sales === undefined) return [POINT_OF_SALE];
  return pointOfSale ? [SALES, POINT_OF_SALE] : [SALES];
}
