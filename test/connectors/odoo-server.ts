import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

interface Row {
  readonly id: number;
  write_date: string;
  [field: string]: unknown;
}

/** Odoo's JSON-2 API: search_read over three models with the domains, orders and pages that are used. */
export class OdooServer extends PlatformServer {
  readonly key = 'the-api-key-of-the-user';
  readonly models: Record<string, Row[]> = { 'sale.order': [], 'sale.order.line': [], 'product.product': [] };

  constructor() {
    super();
    this.product(1, 'SOAP', 'Soap');
    this.product(2, false, 'No code');
  }

  product(id: number, default_code: string | false, name: string): void {
    this.models['product.product']!.push({
      id,
      default_code,
      name,
      active: id !== 1,
      write_date: '2026-01-01 00:00:00',
    });
  }

  /** @param changed seconds of 2026-11-01 */
  add(id: number, changed: number, lines: readonly [product: number | false, quantity: number][], state = 'sale'): Row {
    const order = { id, state, date_order: '2026-10-15 12:00:00', write_date: at(changed) };
    this.models['sale.order']!.push(order);
    for (const [index, [product, product_uom_qty]] of lines.entries()) {
      this.models['sale.order.line']!.push({
        id: id * 10 + index,
        order_id: [id, `S${id}`],
        product_id: product === false ? false : [product, 'A product'],
        name: 'A line',
        product_uom_qty,
        write_date: at(changed),
      });
    }
    return order;
  }

  protected answer({ path, headers, body }: PlatformRequest): PlatformReply {
    if (headers['authorization'] !== `bearer ${this.key}` || headers['x-odoo-database'] !== 'erp') {
      return { status: 401, body: { message: 'Invalid apikey' } };
    }
    const model = /^\/json\/2\/([\w.]+)\/search_read$/.exec(path)?.[1] ?? '';
    const rows = this.models[model];
    if (!rows) return { status: 404, body: { message: 'no such model' } };
    const { domain, limit, order } = JSON.parse(body) as {
      domain: [field: string, operator: string, value: unknown][];
      limit?: number;
      order?: string;
    };
    const found = rows.filter((row) => domain.every(([field, operator, value]) => fits(row[field], operator, value)));
    if (order?.startsWith('write_date')) {
      found.sort((a, b) => (a.write_date === b.write_date ? a.id - b.id : a.write_date < b.write_date ? -1 : 1));
    }
    if (order === 'id asc') found.sort((a, b) => a.id - b.id);
    return { body: found.slice(0, limit) };
  }
}

function fits(value: unknown, operator: string, wanted: unknown): boolean {
  const own = Array.isArray(value) ? (value[0] as unknown) : value;
  if (operator === 'in') return (wanted as unknown[]).includes(own);
  if (operator === '>=') return String(own) >= String(wanted);
  if (operator === '<') return String(own) < String(wanted);
  if (operator === '>') return Number(own) > Number(wanted);
  throw new Error(`an operator that is not expected: ${operator}`);
}

const at = (second: number): string =>
  new Date(Date.UTC(2026, 10, 1, 0, 0, second)).toISOString().slice(0, 19).replace('T', ' ');
