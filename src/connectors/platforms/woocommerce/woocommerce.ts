import { earlier, HOUR_MS } from '../../../platform/durations.js';
import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { FIRST_ROW, offsetPage, type OffsetSweep, sweepOf } from '../id-sweep.js';
import { listPattern } from '../list-field.js';
import { pageSize } from '../page-size.js';
import type { Platform, PulledPage, PullStep } from '../platform.js';
import { readRecords } from '../records.js';
import { readOrder, toOrder, type WooOrder } from './woocommerce-order.js';
import { woocommerceWebhook } from './woocommerce-webhook.js';

const PAGE = 100;
/** Changes are dated by the clock of the shop, even in UTC: those of the hour that it repeats once a year an hour too early. */
const CLOCK_MS = HOUR_MS;

/** What is read, with the status to ask for: `any` leaves out orders in the trash, which do not count any more. */
const STATUSES: Readonly<Record<string, string>> = { orders: 'any', trash: 'trash' };

/**
 * WooCommerce by its REST API v3: woocommerce.github.io/woocommerce-rest-api-docs. Orders are listed by id (List all orders,
 * `orderby` and `offset`); it has no filter for those behind an id.
 */
export const woocommerce: Platform = {
  name: 'woocommerce',
  fields: [
    { name: 'site_url', kind: 'address', required: true, identifies: true },
    { name: 'consumer_key', kind: 'secret', required: true },
    { name: 'consumer_secret', kind: 'secret', required: true },
    { name: 'webhook_secret', kind: 'secret', required: false },
    {
      name: 'counted_statuses',
      kind: 'text',
      required: false,
      fallback: 'processing,completed,on-hold',
      // the API names them without the wc- that the database has before them
      pattern: listPattern(/(?!wc-)[a-z0-9-]+/, 'must be statuses in lower case, without wc-, separated by commas'),
    },
  ],
  streams: Object.keys(STATUSES),
  history: { days: 3 * 365 },

  authorize: (values) => ({
    authorization: `Basic ${Buffer.from(`${values['consumer_key']}:${values['consumer_secret']}`).toString('base64')}`,
  }),

  refusal({ status, headers, body }) {
    // with plain permalinks WordPress takes the address for that of a page, and redirects to the same with a slash
    const isForPage = status < 400 && /\/wp-json\/wc\/v3\/[^?]*\/(\?|$)/.test(headers['location'] ?? '');
    if (isForPage || (status === 404 && !body.includes('woocommerce_rest_'))) {
      return PlatformFault.closed(
        'request_refused',
        'There is no WooCommerce REST API at `site_url`. Check that WooCommerce is active and that permalinks are not set to Plain.',
        status,
      );
    }
    if (status === 401 && body.includes('woocommerce_rest_cannot_view')) {
      return PlatformFault.reconnect(
        'credentials_refused',
        'WooCommerce does not know the key, or did not receive it. If the key is right, the web server drops the Authorization header, or WordPress takes the connection for plain HTTP.',
      );
    }
    if (status === 401 && body.includes('woocommerce_rest_authentication_error')) {
      return PlatformFault.reconnect(
        'credentials_refused',
        'WooCommerce rejects the key: the secret is wrong, or the key lacks the permission Read.',
      );
    }
    return status === 403 && /woocommerce_rest_cannot_view|woocommerce_rest_authentication_error/.test(body)
      ? PlatformFault.revoked('The user of the key is not allowed to read orders.')
      : undefined;
  },

  async check(api: ApiSession): Promise<string> {
    await api.json({ url: `${api.value('site_url')}/wp-json/wc/v3/orders`, query: { per_page: '1' } });
    return new URL(api.value('site_url')).hostname;
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const position = sweepOf<OffsetSweep>(step, FIRST_ROW);
    const size = pageSize(PAGE, step);
    const { body: records, reply } = await api.json<readonly WooOrder[]>({
      url: `${api.value('site_url')}/wp-json/wc/v3/orders`,
      query: {
        status: STATUSES[step.stream]!,
        modified_after: earlier(step.since, CLOCK_MS).toISOString().slice(0, 19),
        dates_are_gmt: 'true',
        orderby: 'id',
        order: 'asc',
        per_page: String(size),
        offset: String(position.offset),
      },
    });
    return offsetPage(position, {
      rows: records,
      size,
      total: Number(reply.headers['x-wp-total']) || 0, // orders that WooCommerce cannot load are counted, not listed
      idOf: ({ id }) => id,
      toOrders: (orders) => readRecords(orders, (order) => toOrder(api, order), step),
    });
  },

  readOrder,

  webhook: woocommerceWebhook,
};
