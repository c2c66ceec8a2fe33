/** A response of the service; JSON bodies are parsed. */
export interface Reply<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** Sends a request and reads the whole response. */
export async function send<Body>(url: string, request: RequestInit): Promise<Reply<Body>> {
  const reply = await fetch(url, request);
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  return { status: reply.status, headers: reply.headers, text, body: (isJson ? JSON.parse(text) : text) as Body };
}
