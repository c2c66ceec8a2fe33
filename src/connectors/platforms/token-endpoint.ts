import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';
import { type ApiRequest, exchange } from './api-request.js';
import { judgeReply, parseJson } from './judge-reply.js';

/** Errors of RFC 6749 section 5.2 after which the same credentials never work again. */
const DEAD_GRANTS = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

/** Sends a request to a token endpoint. @throws {PlatformFault} as the session does, 400 and 401 judged by their error code */
export type SendUnauthorized = (request: ApiRequest) => Promise<Readonly<Record<string, unknown>>>;

/** Asks a token endpoint (RFC 6749). @throws {PlatformFault} `reconnect` where it says that the grant is dead */
export async function askForToken(
  client: OutboundClient,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const reply = await exchange(client, { method: 'POST', ...request }, signal);
  const host = new URL(request.url).hostname;
  if (reply.status === 400 || reply.status === 401) {
    const error = errorCode(reply);
    if (error !== undefined && DEAD_GRANTS.has(error)) {
      throw PlatformFault.reconnect(error, `${host} grants no more access (${error}).`);
    }
  }
  judgeReply(reply, host, undefined);
  return parseJson(reply, host) as Record<string, unknown>;
}

function errorCode(reply: OutboundReply): string | undefined {
  try {
    const { error } = JSON.parse(reply.body) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
