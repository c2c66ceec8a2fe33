import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

interface Row {
  readonly id: number;
  write_date: string;
  [field: string]: unknown;
}

export const PIECE = 1;
/** No longer used for new lines. */
export const DOZEN = 2;

/** Odoo's JSON-2 API: search_read with the domains, orders and pages that are used, and the fields that are asked for. */
export class OdooServer extends PlatformServer {
  key = 'the-api-key-of-the-user';
  readonly models: Record<string, Row[]> = {
    'sale.order': [],
    'sale.order.line': [],
    'product.product': [],
    'uom.uom': [],
  };

  constructor() {
    super();
    this.unit(PIECE, 1);
    this.unit(DOZEN, 12);
    this.product(1, 'SOAP', 'Soap');
    this.product(2, false, 'No code');
  }

  /** What a connector to the database is set to. */
  get settings() {
    return { url: this.url, database: 'erp', api_key: this.key };
  }

  /** @param factor how many of the unit that its tree begins with */
  unit(id: number, factor: number): void {
    this.models['uom.uom']!.push({ id, factor, active: id !== DOZEN, write_date: '2026-01-01 00:00:00' });
  }

  product(id: number, default_code: string | false, name: string, unit = PIECE): void {
    this.models['product.product']!.push({
      id,
      default_code,
      name,
      uom_id: [unit, 'A unit'],
      active: id !== 1,
      write_date: '2026-01-01 00:00:00',
    });
  }

  /** @param changed seconds of 2026-11-01 */
  add(
    id: number,
    changed: number,
    lines: readonly [product: number | false, quantity: number, unit?: number][],
    state = 'sale',
  ): Row {
    const order = { id, state, date_order: '2026-10-15 12:00:00', write_date: at(changed) };
    this.models['sale.order']!.push(order);
    for (const [index, [product, product_uom_qty, unit = PIECE]] of lines.entries()) {
      this.models['sale.order.line']!.push({
        id: id * 10 + index,
        order_id: [id, `S${id}`],
        product_id: product === false ? false : [product, 'A product'],
        name: 'A line',
        product_uom_qty,
        product_uom_id: product === false ? false : [unit, 'A unit'],
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
    const { domain, fields, limit, order } = JSON.parse(body) as {
      domain: [field: string, operator: string, value: unknown][];
      fields: string[];
      limit?: number;
      order?: string;
    };
    const found = rows.filter((row) => domain.every(([field, operator, value]) => fits(row[field], operator, value)));
    if (order?.startsWith('write_date')) {
      found.sort((a, b) => (a.write_date === b.write_date ? a.id - b.id : a.write_date < b.write_date ? -1 : 1));
    }
    if (order === 'id asc') found.sort((a, b) => a.id - b.id);
    const unknown = fields.find((field) => found[0] && !(field in found[0]));
    if (unknown !== undefined) return { status: 422, body: { message: `Invalid field '${unknown}' on '${model}'` } };
    const shown = found.slice(0, limit).map((row) => ['id', ...fields].map((field) => [field, row[field]] as const));
    return { body: shown.map((entries) => Object.fromEntries(entries)) };
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
