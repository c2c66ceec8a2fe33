import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';
import { type ApiRequest, exchange } from './api-request.js';
import { judgeReply, parseJson } from './judge-reply.js';

/** Errors of RFC 6749 section 5.2 after which the same credentials never work again, and what the endpoint says by each. */
const DEAD_GRANTS: ReadonlyMap<string, string> = new Map([
  ['invalid_grant', 'does not accept the grant, such as the refresh token'],
  ['invalid_client', 'does not know the client, or refuses its secret or certificate'],
  ['unauthorized_client', 'does not let the client get tokens in this way'],
]);

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
    const said = error && DEAD_GRANTS.get(error);
    if (error && said) throw PlatformFault.reconnect(error, `${host} ${said} (${error}).`);
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
