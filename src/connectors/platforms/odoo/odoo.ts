import type { OutboundReply } from '../../outbound/outbound-client.js';
import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { listPattern } from '../list-field.js';
import type { Platform, PulledPage, PullStep } from '../platform.js';
import { type Channel, channelsOf, mayRead, POINT_OF_SALE, SALES } from './odoo-channel.js';
import { readOrders } from './odoo-order.js';
import { call, contextOf, dateOf, type Many2One, referredId, search, type Search } from './odoo-search.js';

const PAGE = 200;

/** A list of what has changed: of orders, or of lines, since an order does not change with its lines. */
interface Changes {
  readonly channel: Channel;
  readonly of: 'orders' | 'lines';
  /** The stream of the lines that come with these orders. */
  readonly holds?: string;
}

const CHANGES: Readonly<Record<string, Changes>> = {
  orders: { channel: SALES, of: 'orders', holds: 'lines' },
  lines: { channel: SALES, of: 'lines' },
  pos_orders: { channel: POINT_OF_SALE, of: 'orders', holds: 'pos_lines' },
  pos_lines: { channel: POINT_OF_SALE, of: 'lines' },
};

const NOTHING: PulledPage = { orders: [], next: null, seen: null };

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

/**
 * Odoo 19 and later by its JSON-2 API: www.odoo.com/documentation/19.0/developer/reference/external_api.html. Its names are those
 * of 19, where lines have `product_uom_id` and units of measure a tree with absolute factors (`uom.uom`), packagings included.
 */
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
      pattern: listPattern(/[a-z_]+/, 'must be states in lower case separated by commas'),
    },
  ],
  streams: Object.keys(CHANGES),
  history: { days: 3 * 365 },

  authorize: (values) => ({
    authorization: `bearer ${values['api_key'] ?? ''}`,
    'x-odoo-database': values['database'] ?? '',
  }),
  refusal,

  async check(api: ApiSession): Promise<string> {
    const channels = await channelsOf(api);
    const models = [...channels.flatMap(({ orders, lines }) => [orders, lines]), 'product.product', 'uom.uom'];
    for (const model of models) await search(api, model, { domain: [], fields: ['id'], limit: 1 });
    if (await seesOnlyOwnOrders(api)) {
      const message =
        'Odoo shows the user of the key only their own orders. Grant the user the permission "User: All Documents".';
      throw PlatformFault.closed('request_refused', message);
    }
    return api.value('database');
  },

  async caution(api: ApiSession): Promise<string | undefined> {
    if ((await mayRead(api, POINT_OF_SALE)) !== false) return undefined;
    return 'The user of the key is not allowed to read the orders of the Point of Sale in Odoo, so they do not count. To count them, grant the user its permission "User".';
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const { channel, of, holds } = CHANGES[step.stream]!;
    const isFirst = step.isNew && step.position === null;
    if (isFirst && !(await channelsOf(api)).includes(channel)) return NOTHING;
    const begun = new Date();
    const position = (step.position as Position | null) ?? { from: step.since.toISOString() };
    const changes = await search<Change>(api, channel[of], {
      ...rowsAt(position),
      fields: of === 'orders' ? ['write_date'] : ['write_date', 'order_id'],
      limit: PAGE,
    });
    const ids = changes.map(({ id, order_id }) => (of === 'orders' ? id : referredId(order_id)));
    const last = changes.at(-1);
    return {
      orders: await readOrders(api, channel, [...new Set(ids.filter((known) => known !== undefined))]),
      listed: changes.map(({ id, write_date }) => [id, write_date]), // an order comes with every page of its lines
      next: nextPosition(position, changes),
      seen: last ? dateOf(last.write_date) : null,
      ...(holds && isFirst && { holds: { stream: holds, until: begun } }),
    };
  },
};

/** Odoo itself answers in JSON, with the name of the error; its web server, and what stands before it, with a page. */
function refusal({ status, body }: OutboundReply): PlatformFault | undefined {
  if (status === 404 && /the model \S+ does not exist/.test(body)) {
    const message = 'Odoo no longer has the app of these orders. Start a full sync to remove them.';
    return PlatformFault.refused('request_refused', message, status);
  }
  if ((status === 404 && !body.startsWith('{')) || (status === 400 && body.includes('CSRF'))) {
    const message =
      'There is no JSON-2 API for `database` at `url`. Check both (the URL ends before /odoo or /web), that it is Odoo 19 or later, and that it can reach its database.';
    return PlatformFault.closed('request_refused', message, status);
  }
  if (status === 401 && body.includes('Invalid apikey')) {
    return PlatformFault.reconnect(
      'credentials_refused',
      'Odoo rejects the API key: it has expired, as keys do after three months at most, or was deleted. Create a new one (Preferences, Account Security), and enter it as `api_key`.',
    );
  }
  if (status === 401 && body.includes('Bearer Authorization header')) {
    return PlatformFault.reconnect(
      'credentials_refused',
      'Odoo did not receive the API key: a web server in front of it drops the Authorization header.',
    );
  }
  if (status !== 403 || !/AccessError|access rights|not allowed to access/i.test(body)) return undefined;
  return PlatformFault.revoked(
    body.includes('(pos.order')
      ? 'The user of the key is not allowed to read the orders of the Point of Sale in Odoo.'
      : 'The user of the key is not allowed to read sales orders, or their products and units of measure, in Odoo.',
  );
}

/** By the groups that Odoo's own rules name: it refuses nothing, but leaves out the orders of others. */
async function seesOnlyOwnOrders(api: ApiSession): Promise<boolean> {
  const { uid } = await contextOf(api);
  const has = (group: string): Promise<boolean> =>
    call(api, 'res.users/has_group', { ids: [uid], group_ext_id: `sales_team.${group}` });
  return (await has('group_sale_salesman')) && !(await has('group_sale_salesman_all_leads'));
}

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

/** Odoo tells times by the second and compares them by the microsecond. */
const odooTime = (instant: string): string => instant.slice(0, 19).replace('T', ' ');
