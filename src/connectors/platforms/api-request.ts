import type { OutboundClient, OutboundReply } from '../outbound/outbound-client.js';

/** A request to the API of a platform. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST';
  readonly url: string | URL;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a platform, accepting JSON. @returns the response, whatever its status */
export async function exchange(
  client: OutboundClient,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<OutboundReply> {
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  return client.send(
    {
      method: request.method ?? 'GET',
      url,
      headers: { accept: 'application/json', ...request.headers },
      body: request.body,
    },
    signal,
  );
}
