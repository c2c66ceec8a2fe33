import { DAY_MS, MINUTE_MS } from '../../platform/durations.js';
import type { OutboundReply } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';

/** Maximum wait accepted from a platform, in milliseconds: a day, after which a daily quota is reset. */
const MAX_WAIT_MS = DAY_MS;
/** The wait after a 429 that specifies none. */
export const DEFAULT_WAIT_MS = MINUTE_MS;
/** Statuses of a shop that owes money or is locked, and of a firewall: they are not about the request. */
const CLOSED = new Set([402, 403, 423]);

/** Whether the platform itself refuses the request (4xx), as opposed to its firewall or rate limit. */
export function isRefusal({ status, body }: OutboundReply): boolean {
  const isOfFirewall = status === 403 && /^\s*<(!doctype )?html/i.test(body);
  return status >= 400 && status < 500 && status !== 429 && !isOfFirewall;
}

export const isRedirect = ({ status }: OutboundReply): boolean => status >= 300 && status < 400;

/**
 * Returns if the status is 2xx.
 * @param platformsWait milliseconds to wait after a 429, if the platform signals it other than by Retry-After
 * @throws {PlatformFault} for any other status
 */
export function judgeReply(reply: OutboundReply, host: string, platformsWait: number | undefined): void {
  const { status } = reply;
  if (status >= 200 && status < 300) return;
  if (status === 429) {
    throw PlatformFault.wait(Math.min(MAX_WAIT_MS, platformsWait ?? retryAfterMs(reply) ?? DEFAULT_WAIT_MS));
  }
  if (status >= 500 || status === 408) {
    throw PlatformFault.passing('platform_error', `${host} answered ${status}.`, retryAfterMs(reply));
  }
  if (isRedirect(reply)) {
    const message = `${host} redirects elsewhere. Redirects are not followed; use the final URL.`;
    throw PlatformFault.closed('redirected', message, status);
  }
  const message = `${host} answered ${status}.`;
  if (CLOSED.has(status)) throw PlatformFault.closed('request_refused', message, status);
  throw PlatformFault.refused('request_refused', message, status);
}

function retryAfterMs({ headers }: OutboundReply): number | undefined {
  const given = headers['retry-after'];
  if (given === undefined) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now();
  // zero and the past are meaningless: an immediate retry would be refused again
  return wait > 0 ? Math.max(1_000, wait) : undefined;
}

/** @throws {PlatformFault} passing: a platform that returns a page instead of JSON is usually under maintenance */
export function parseJson(reply: OutboundReply, host: string): unknown {
  try {
    return JSON.parse(reply.body);
  } catch {
    throw PlatformFault.passing('malformed_reply', `${host} answered with a body that is not JSON.`);
  }
}
