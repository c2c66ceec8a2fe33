import type { OutboundReply } from '../../outbound/outbound-client.js';
import { PlatformFault } from '../../platform-fault.js';
import type { ApiSession } from '../api-session.js';
import { type IdSweep, seenInSweep, sweepOf } from '../id-sweep.js';
import { listPattern } from '../list-field.js';
import { pageSize } from '../page-size.js';
import type { Platform, PulledPage, PullStep } from '../platform.js';
import { readRecords } from '../records.js';
import { addressOf, type BigCommerceOrder, INCLUDE, readOrder, toOrder } from './bigcommerce-order.js';
import { bigcommerceWebhook } from './bigcommerce-webhook.js';

const PAGE = 250;
/** Requests to leave to the shop's other apps before the quota is reset. */
const SPARED_REQUESTS = 5;

interface Position extends IdSweep {
  /** The last order that was read: it is requested again, since it is not documented whether `min_id` is inclusive. */
  readonly fromId: number;
}

/** BigCommerce through its V2 orders API: developer.bigcommerce.com, Get All Orders (`min_date_modified`, `min_id`, `sort`). */
export const bigcommerce: Platform = {
  name: 'bigcommerce',
  fields: [
    {
      name: 'store_hash',
      kind: 'text',
      required: true,
      identifies: true,
      pattern: { matches: /^[a-z0-9]{1,32}$/, says: 'must be only the store hash, such as abc123 in stores/abc123' },
    },
    { name: 'access_token', kind: 'secret', required: true },
    { name: 'webhook_secret', kind: 'secret', required: false },
    {
      // incomplete, refunded, cancelled, declined. The refund of a whole order need not specify quantities of lines
      name: 'skipped_statuses',
      kind: 'text',
      required: false,
      fallback: '0,4,5,6',
      pattern: listPattern(/\d+/, 'must be status numbers separated by commas'),
    },
    { name: 'api_url', kind: 'address', required: false, fallback: 'https://api.bigcommerce.com' },
  ],
  streams: ['orders'],
  history: { days: 3 * 365 },

  authorize: (values) => ({ 'x-auth-token': values['access_token'] ?? '' }),

  refusal({ status, body }) {
    if (status === 401) {
      return PlatformFault.reconnect(
        'credentials_refused',
        'BigCommerce rejects the token. Set `access_token` to the token of an API account of the store `store_hash`.',
      );
    }
    return status === 403 && /scope/i.test(body)
      ? PlatformFault.revoked('The API account cannot read orders. Grant it the scope Orders, read-only.')
      : undefined;
  },

  retryAfterMs: ({ headers }) => Number(headers['x-rate-limit-time-reset-ms']) || undefined,

  async check(api: ApiSession): Promise<string> {
    await api.send({ url: addressOf(api, ''), query: { limit: '1' } });
    return `stores/${api.value('store_hash')}`;
  },

  async pull(api: ApiSession, step: PullStep): Promise<PulledPage> {
    const position = sweepOf<Position>(step, { fromId: 0 });
    const size = pageSize(PAGE, step);
    const reply = await api.send({
      url: addressOf(api, ''),
      query: {
        min_date_modified: step.since.toISOString(),
        min_id: String(position.fromId),
        sort: 'id:asc',
        limit: String(size),
        ...INCLUDE,
      },
    });
    if (reply.status === 204) return { orders: [], next: null, seen: null };
    const records = JSON.parse(reply.body) as readonly BigCommerceOrder[];
    const { begun, fromId: known } = position;
    const unread = records.filter(({ id }) => id !== known);
    const orders = await readRecords(unread, (record) => toOrder(api, record), step);
    const fromId = Math.max(...records.map(({ id }) => id).filter(Number.isInteger));
    const next: Position | null = records.length === size ? { begun, fromId } : null;
    const repeats = unread.length < records.length;
    return { orders, repeats, next, seen: seenInSweep(position, orders), pauseMs: pauseOf(reply) };
  },

  readOrder,

  webhook: bigcommerceWebhook,
};

function pauseOf({ headers }: OutboundReply): number {
  const left = Number(headers['x-rate-limit-requests-left'] ?? Infinity);
  return left <= SPARED_REQUESTS ? Number(headers['x-rate-limit-time-reset-ms']) || 0 : 0;
}
