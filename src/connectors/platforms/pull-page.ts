import type { Logger } from '../../platform/logging/logger.js';
import { PlatformFault } from '../platform-fault.js';
import type { SourceOrder } from '../orders/order.js';
import type { ApiSession } from './api-session.js';
import type { Platform, PulledPage, PullStep } from './platform.js';

/**
 * Reads a page of a platform. A reply that has not the form it should have is the platform's fault, and mostly passes.
 * @throws {PlatformFault}
 */
export async function pullPage(
  platform: Platform,
  api: ApiSession,
  step: PullStep,
  logger: Logger,
): Promise<PulledPage> {
  return understood(logger, async () => {
    const page = await platform.pull(api, step);
    page.orders.forEach(checkOrder);
    if (page.seen) checkDate(page.seen);
    return page;
  });
}

/** Turns the errors of reading a reply that lacks what it should have into a fault. */
export async function understood<T>(logger: Logger, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PlatformFault) throw error;
    const { name, stack } = error as Error;
    if (!['TypeError', 'RangeError', 'SyntaxError'].includes(name)) throw error;
    // not the message: it may quote the reply
    logger.warn({ fault: name, stack: stack?.split('\n').slice(1, 6) }, 'a platform answered in another form');
    throw PlatformFault.passing('malformed_reply', 'The platform answered in another form than it documents.');
  }
}

/** @throws {RangeError} on an order without its dates */
export function checkOrder({ updatedAt, placed }: SourceOrder): void {
  checkDate(updatedAt);
  if (typeof placed !== 'string') checkDate(placed);
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(placed)) throw new RangeError('not a day');
}

function checkDate(date: Date): void {
  if (Number.isNaN(date.getTime())) throw new RangeError('not a date');
}
