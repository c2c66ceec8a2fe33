import { type PlatformReply, type PlatformRequest, PlatformServer } from './platform-server.js';

interface Row {
  readonly id: number;
  write_date: string;
  [field: string]: unknown;
}

interface Context {
  readonly lang?: string;
  readonly display_default_code?: boolean;
}

export const PIECE = 1;
/** No longer used for new lines. */
export const DOZEN = 2;

/** What Odoo answers at an address of its web client, of which it knows nothing else. */
const NO_TOKEN = `<!doctype html>
<html lang=en>
<title>400 Bad Request</title>
<h1>Bad Request</h1>
<p>Session expired (invalid CSRF token)</p>`;

/** The page of a server that has no such database, or does not reach it. */
const NO_DATABASE = `<!DOCTYPE html>
<title>404 Not Found</title>
<h1>Not Found</h1>
<p>No database is selected and the requested URL was not found in the server-wide controllers.</p>`;

/**
 * Odoo's JSON-2 API as Odoo 19.0 answers: search_read with the domains, orders and pages that are used, and the fields that are asked
 * for. Times are kept to the microsecond and told to the second; archived records are found where a domain names `active`.
 */
export class OdooServer extends PlatformServer {
  key = 'the-api-key-of-the-user';
  /** Models that the user of the key may not read. */
  readonly denied = new Set<string>();
  /** Groups of the user of the key. */
  groups = ['sales_team.group_sale_salesman', 'sales_team.group_sale_salesman_all_leads'];
  /** Without `pos.order` and `pos.order.line` while the app Point of Sale is not installed. */
  readonly models: Record<string, Row[]> = {
    'sale.order': [],
    'sale.order.line': [],
    'product.product': [],
    'uom.uom': [],
  };

  private linked = true;

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

  product(id: number, default_code: string | false, name: string, unit = PIECE, german = name): void {
    this.models['product.product']!.push({
      id,
      default_code,
      display_name: '', // by the context
      english: name,
      german,
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

  /** Installs the app Point of Sale. @param linked whether a line tells which line of a sales order was paid there */
  installPointOfSale(linked = true): void {
    this.linked = linked;
    this.models['pos.order'] = [];
    this.models['pos.order.line'] = [];
  }

  /** An order of the point of sale, as {@link add}. @param settles the line of a sales order that its first line pays */
  sell(
    id: number,
    changed: number,
    lines: readonly [product: number, quantity: number][],
    { state = 'paid', settles }: { readonly state?: string; readonly settles?: number } = {},
  ): Row {
    const order = { id, state, date_order: '2026-10-15 12:00:00', write_date: at(changed) };
    this.models['pos.order']!.push(order);
    for (const [index, [product, qty]] of lines.entries()) {
      this.models['pos.order.line']!.push({
        id: id * 10 + index,
        order_id: [id, `Shop/${id}`],
        product_id: [product, 'A product'],
        full_product_name: 'A product of the shop',
        qty,
        ...(this.linked && { sale_order_line_id: index === 0 && settles !== undefined && [settles, 'A line'] }),
        write_date: at(changed),
      });
    }
    return order;
  }

  protected answer({ path, headers, body }: PlatformRequest): PlatformReply {
    if (headers['x-odoo-database'] !== 'erp') return { status: 404, body: NO_DATABASE };
    const [, model, method] = /^\/json\/2\/([\w.]+)\/(\w+)$/.exec(path) ?? [];
    if (model === undefined) return { status: 400, body: NO_TOKEN };
    if (headers['authorization'] !== `bearer ${this.key}`) {
      return { status: 401, body: { name: 'werkzeug.exceptions.Unauthorized', message: 'Invalid apikey' } };
    }
    if (method === 'context_get') return { body: { lang: 'de_DE', tz: false, uid: 5 } };
    if (method === 'has_group') {
      const { ids, group_ext_id } = JSON.parse(body) as { ids: number[]; group_ext_id: string };
      return { body: ids[0] === 5 && this.groups.includes(group_ext_id) };
    }
    const rows = this.models[model];
    if (!rows) {
      const message = `the model '${model}' does not exist`;
      return { status: 404, body: { name: 'werkzeug.exceptions.NotFound', message } };
    }
    if (method === 'has_access') return { body: !this.denied.has(model) };
    if (method === 'fields_get') return { body: this.linked ? { sale_order_line_id: { type: 'many2one' } } : {} };
    if (this.denied.has(model)) {
      const message = `You are not allowed to access 'A model' (${model}) records.`;
      return { status: 403, body: { name: 'odoo.exceptions.AccessError', message } };
    }
    const { domain, fields, limit, order, context } = JSON.parse(body) as {
      domain: [field: string, operator: string, value: unknown][];
      fields: string[];
      limit?: number;
      order?: string;
      context?: Context;
    };
    const archived = domain.some(([field]) => field === 'active');
    const found = rows.filter(
      (row) =>
        (archived || row['active'] !== false) &&
        domain.every(([field, operator, value]) => fits(row[field], operator, value)),
    );
    if (order?.startsWith('write_date')) {
      found.sort((a, b) => (a.write_date === b.write_date ? a.id - b.id : a.write_date < b.write_date ? -1 : 1));
    }
    if (order === 'id asc') found.sort((a, b) => a.id - b.id);
    const unknown = fields.find((field) => found[0] && !(field in found[0]));
    if (unknown !== undefined) {
      return {
        status: 500,
        body: { name: 'builtins.ValueError', message: `Invalid field '${unknown}' on '${model}'` },
      };
    }
    const shown = found
      .slice(0, limit)
      .map((row) => ['id', ...fields].map((field) => [field, told(row, field, context)]));
    return { body: shown.map((entries) => Object.fromEntries(entries) as object) };
  }
}

function told(row: Row, field: string, context?: Context): unknown {
  if (field === 'write_date') return row.write_date.slice(0, 19);
  if (field !== 'display_name') return row[field];
  const name = context?.lang === 'de_DE' ? row['german'] : row['english'];
  const code = context?.display_default_code === false ? false : row['default_code'];
  return code ? `[${code as string}] ${name as string}` : name;
}

function fits(value: unknown, operator: string, wanted: unknown): boolean {
  const own = Array.isArray(value) ? (value[0] as unknown) : value;
  if (operator === 'in') return (wanted as unknown[]).includes(own);
  if (operator === '>=') return String(own) >= String(wanted);
  if (operator === '<') return String(own) < String(wanted);
  if (operator === '>') return Number(own) > Number(wanted);
  throw new Error(`an operator that is not expected: ${operator}`);
}

const at = (second: number): string => timeOf(new Date(Date.UTC(2026, 10, 1, 0, 0, second)));

const timeOf = (instant: Date): string => instant.toISOString().slice(0, 19).replace('T', ' ') + '.342770';

/** When a row is changed that changes now. */
export const now = (): string => timeOf(new Date());
