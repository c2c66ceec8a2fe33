import type { Logger } from '../../platform/logging/logger.js';
import type { SourceOrder } from '../orders/order.js';
import { PlatformFault } from '../platform-fault.js';
import type { ApiSession } from './api-session.js';
import type { Platform, PulledPage, PullStep } from './platform.js';
import { askFor, isReadable } from './records.js';

export interface ReadPage extends PulledPage {
  readonly orders: readonly SourceOrder[];
  /** Number of malformed records, which are omitted. */
  readonly unreadable: number;
}

/**
 * Reads a page of a platform. A malformed response, or one in which every record is malformed, is the platform's fault and usually
 * temporary; malformed records among valid ones, or after repeated ones, are omitted.
 * @throws {PlatformFault}
 */
export async function pullPage(platform: Platform, api: ApiSession, step: PullStep, logger: Logger): Promise<ReadPage> {
  return catchMalformed(logger, async () => {
    const page = await platform.pull(api, step);
    const orders = page.orders.filter((order) => order !== undefined && isReadable(order)) as SourceOrder[];
    if (orders.length === 0 && page.orders.length > 0 && !page.repeats) throw new RangeError('no record can be read');
    if (page.seen && Number.isNaN(page.seen.getTime())) throw new RangeError('not a date');
    return { ...page, orders, unreadable: page.orders.length - orders.length };
  });
}

/** Reads a single order. @throws {PlatformFault} also if it is malformed */
export function pullOrder(
  logger: Logger,
  read: () => Promise<SourceOrder | undefined>,
): Promise<SourceOrder | undefined> {
  return catchMalformed(logger, async () => {
    const order = await read();
    if (order && !isReadable(order)) throw new RangeError('not an order');
    return order;
  });
}

/** Converts the errors of reading a malformed response into a fault, and logs where it was read. */
export async function catchMalformed<T>(logger: Logger, read: () => Promise<T>): Promise<T> {
  try {
    return await askFor(read);
  } catch (fault) {
    if (fault instanceof PlatformFault && fault.cause instanceof Error) {
      const { name, stack } = fault.cause;
      // without the message: it may quote the response
      logger.warn({ fault: name, stack: stack?.split('\n').slice(1, 6) }, 'a platform returned an unexpected response');
    }
    throw fault;
  }
}
