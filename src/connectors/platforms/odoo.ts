import type { SourceOrder } from '../orders/order.js';
import type { ApiSession } from './api-session.js';
import type { Platform, PulledPage, PullStep } from './platform.js';
import { readAll, readRecords } from './records.js';

const PAGE = 200;
const LINES = 2_000;

/** What has changed is found by either: an order does not change with its lines. */
const CHANGES: Readonly<Record<string, { readonly model: string; readonly order: 'id' | 'order_id' }>> = {
  orders: { model: 'sale.order', order: 'id' },
  lines: { model: 'sale.order.line', order: 'order_id' },
};

/** Reference to a record: its id, with its name beside. */
type Many2One = readonly [id: number, name: string] | number | false;

interface Change {
  readonly id: number;
  /** `2026-11-21 06:00:00`, UTC. */
  readonly write_date: string;
  readonly order_id?: Many2One;
}

/**
 * Where reading goes on. By the numbers of rows alone it would lose some: a row that is changed meanwhile moves to the end,
 * and all behind it move up by one. So it goes on from the last second that was seen, and within a second of more rows than
 * a page, as one import or update makes them, by their ids.
 */
interface Position {
  /** ISO 8601, to the second. */
  readonly from: string;
  /** Only rows of this second are read, those behind this id. */
  readonly behindId?: number;
}

interface OdooOrder {
  readonly id: number;
  readonly state: string;
  readonly date_order: string;
  readonly write_date: string;
}

interface OdooLine {
  readonly id: number;
  readonly order_id: Many2One;
  readonly product_id: Many2One;
  readonly name: string;
  readonly product_uom_qty: number;
  readonly write_date: string;
}

interface Product {
  readonly id: number;
  readonly default_code: string | false;
  readonly name: string;
}

/** Odoo 19 and later by its JSON-2 API: www.odoo.com/documentation/19.0/developer/reference/external_api.html. */
export const odoo: Platform = {
  name: 'odoo',
  fields: [
    { name: 'url', kind: 'address', required: true, identifies: true },
    {
      name: 'database',
      kind: 'text',
      identifies: true,
      required: true,
      pattern: { matches: /^[\w.-]{1,100}$/, says: 'must be the name of the database' },
    },
    { name: 'api_key', kind: 'secret', required: true },
    {
      name: 'counted_states',
      kind: 'text',
      required: false,
      fallback: 'sale',
      pattern: { matches: /^[a-z_]+(,[a-z_]+)*$/, says: 'must be states separated by commas' },
    },
  ],
  streams: Object.keys(CHANGES),
  history: { days: 3 * 365 },

  authorize: (values) => ({
    authorization: `bearer ${values['api_key'] ?? ''}`,
    'x-odoo-database': values['database'] ?? '',
  }),
  revoked: ({ body }) =>
    /AccessError|access rights|not allowed to access/i.test(body)
      ? 'Odoo says that the user of the key may not read sales orders.'
      : undefined,

  async check(api: ApiSession): Promise<string> {
    await search(api, 'sale.order', { domain: [], fields: ['id'], limit: 1 });
    return api.value('database');
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const { model, order } = CHANGES[step.stream]!;
    const position = (step.position as Position | null) ?? { from: step.since.toISOString() };
    const changes = await search<Change>(api, model, {
      ...rowsAt(position),
      fields: ['write_date', ...(order === 'id' ? [] : [order])],
      limit: PAGE,
    });
    const ids = changes.map((change) => (order === 'id' ? change.id : referredId(change.order_id)));
    const last = changes.at(-1);
    return {
      orders: await readOrders(api, [...new Set(ids.filter((known) => known !== undefined))]),
      next: nextPosition(position, changes),
      seen: last ? dateOf(last.write_date) : null,
    };
  },
};

function rowsAt({ from, behindId }: Position): Pick<Search, 'domain' | 'order'> {
  const since = ['write_date', '>=', odooTime(from)];
  if (behindId === undefined) return { domain: [since], order: 'write_date asc, id asc' };
  return {
    domain: [since, ['write_date', '<', odooTime(secondAfter(from))], ['id', '>', behindId]],
    order: 'id asc',
  };
}

function nextPosition({ from, behindId }: Position, changes: readonly Change[]): Position | null {
  const last = changes.at(-1);
  const more = last !== undefined && changes.length === PAGE;
  if (behindId !== undefined) return more ? { from, behindId: last.id } : { from: secondAfter(from) };
  if (!more) return null;
  const second = dateOf(last.write_date).toISOString();
  return odooTime(second) > odooTime(from) ? { from: second } : { from, behindId: 0 };
}

function secondAfter(instant: string): string {
  return new Date(Date.parse(instant) + 1_000).toISOString();
}

async function readOrders(api: ApiSession, ids: readonly number[]): Promise<readonly (SourceOrder | undefined)[]> {
  if (ids.length === 0) return [];
  const orders = await search<OdooOrder>(api, 'sale.order', {
    domain: [['id', 'in', ids]],
    fields: ['state', 'date_order', 'write_date'],
  });
  const lines = await searchAll<OdooLine>(api, 'sale.order.line', {
    domain: [['order_id', 'in', ids]],
    fields: ['order_id', 'product_id', 'name', 'product_uom_qty', 'write_date'],
  });
  const products = await readProducts(api, lines);
  const states = api.value('counted_states').split(',');
  return readRecords(orders, (order) => {
    const own = lines.filter((line) => referredId(line.order_id) === order.id);
    const changes = [order, ...own].map(({ write_date }) => dateOf(write_date).getTime());
    return {
      id: String(order.id),
      updatedAt: new Date(Math.max(...changes)),
      placed: dateOf(order.date_order),
      lines: (states.includes(order.state) ? own : []).flatMap((line) => {
        const product = referredId(line.product_id);
        if (product === undefined) return []; // a heading or a note
        const known = products.get(product);
        const name = known?.name ?? line.name;
        return [{ sku: known?.default_code || null, productId: String(product), name, quantity: line.product_uom_qty }];
      }),
    };
  });
}

async function readProducts(api: ApiSession, lines: readonly OdooLine[]): Promise<Map<number, Product>> {
  const ids = [...new Set(lines.map((line) => referredId(line.product_id)).filter((id) => id !== undefined))];
  const products = await searchAll<Product>(api, 'product.product', {
    // products that are sold no more were sold then
    domain: [
      ['id', 'in', ids],
      ['active', 'in', [true, false]],
    ],
    fields: ['default_code', 'name'],
  });
  return new Map(products.map((product) => [product.id, product]));
}

interface Search {
  readonly domain: readonly unknown[];
  readonly fields: readonly string[];
  readonly limit?: number;
  readonly order?: string;
}

async function search<Found>(api: ApiSession, model: string, question: Search): Promise<readonly Found[]> {
  const { body } = await api.json<readonly Found[]>({
    method: 'POST',
    url: `${api.value('url')}/json/2/${model}/search_read`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  return body;
}

function searchAll<Found extends { readonly id: number }>(
  api: ApiSession,
  model: string,
  { domain, fields }: Pick<Search, 'domain' | 'fields'>,
): Promise<Found[]> {
  return readAll<Found>(async (known) => {
    const records = await search<Found>(api, model, {
      domain: [...domain, ['id', '>', known.at(-1)?.id ?? 0]],
      fields,
      limit: LINES,
      order: 'id asc',
    });
    return { records, more: records.length === LINES };
  });
}

function referredId(reference: Many2One | undefined): number | undefined {
  if (typeof reference === 'number') return reference;
  return reference === undefined || reference === false ? undefined : reference[0];
}

/** Odoo tells times by the second and compares them by the microsecond. */
const odooTime = (instant: string): string => instant.slice(0, 19).replace('T', ' ');
const dateOf = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);
