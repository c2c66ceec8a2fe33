import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';
import { PlatformFault } from '../platform-fault.js';
import { type ApiRequest, exchange } from './api-request.js';
import { isRefusal, judgeReply, parseJson } from './judge-reply.js';

/** Errors of RFC 6749 section 5.2 after which the same credentials never work again: the meaning of each, and what to do. */
const DEAD_GRANTS: ReadonlyMap<string, string> = new Map([
  [
    'invalid_grant',
    'does not accept the refresh token or certificate, which has expired or was revoked. Authorize the app again, or create a new certificate, and enter the new one',
  ],
  [
    'invalid_client',
    'does not know the client, or rejects its secret or certificate. Check `client_id`, and enter a secret or certificate that has not expired',
  ],
  [
    'unauthorized_client',
    'does not allow the client to get tokens in this way. Check `client_id` and the permissions in the settings of the app',
  ],
]);

/** Other errors that concern the request: those of RFC 6749, and Entra's for a scope of a resource that its tenant lacks. */
const REFUSED_REQUESTS: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_scope',
  'unsupported_grant_type',
  'invalid_resource',
]);

/** Sends a request to a token endpoint. @throws {PlatformFault} as the session does; refusals are classified by error code */
export type SendUnauthorized = (request: ApiRequest) => Promise<Readonly<Record<string, unknown>>>;

/** Sends a request to a token endpoint (RFC 6749). @throws {PlatformFault} `reconnect` if it reports the grant as invalid */
export async function askForToken(
  client: OutboundClient,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const reply = await exchange(client, request, signal);
  const host = new URL(request.url).hostname;
  const { status } = reply;
  const error = errorCode(reply);
  const meaning = DEAD_GRANTS.get(error);
  if (meaning !== undefined && (status === 400 || status === 401)) {
    throw PlatformFault.reconnect(error, `${host} answered ${error}: it ${meaning}.`);
  }
  if (isRefusal(reply) && status !== 408) {
    // not about the position in a list, where the next sync continues
    const reason = REFUSED_REQUESTS.has(error) ? error : String(status);
    const message = `${host} does not issue a token (${reason}). Check the IDs, URLs and scope in the fields.`;
    throw PlatformFault.closed('request_refused', message, status);
  }
  judgeReply(reply, host, undefined);
  return parseJson(reply, host) as Record<string, unknown>;
}

/** Empty if the response has none. */
function errorCode(reply: OutboundReply): string {
  try {
    const { error } = JSON.parse(reply.body) as { error?: unknown };
    return typeof error === 'string' ? error : '';
  } catch {
    return '';
  }
}
