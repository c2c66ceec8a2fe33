import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';

/** A request to the API of a platform: POST if it has a body, otherwise GET. */
export interface ApiRequest {
  readonly url: string | URL;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, as JSON. */
  readonly json?: object;
  /** The body, as a form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Sends a request to a platform, accepting JSON. @returns the response, whatever its status */
export async function exchange(
  client: OutboundClient,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<OutboundReply> {
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  const body = bodyOf(request);
  const headers = { accept: 'application/json', ...(body && { 'content-type': body.type }), ...request.headers };
  return client.send({ method: body ? 'POST' : 'GET', url, headers, body: body?.text }, signal);
}

function bodyOf({ json, form }: ApiRequest): { type: string; text: string } | undefined {
  if (json) return { type: 'application/json', text: JSON.stringify(json) };
  return form && { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
}
