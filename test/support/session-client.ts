import type { ApiReply } from './api.js';

/** Calls the application's own routes with a session, as its pages would. */
export class SessionClient {
  constructor(
    private readonly url: string,
    private readonly token?: string,
  ) {}

  get<Body = Record<string, unknown>>(path: string, headers: Record<string, string> = {}): Promise<ApiReply<Body>> {
    return this.send<Body>('GET', path, undefined, headers);
  }

  post<Body = Record<string, unknown>>(path: string, body: unknown): Promise<ApiReply<Body>> {
    return this.send<Body>('POST', path, body);
  }

  patch<Body = Record<string, unknown>>(path: string, body: unknown): Promise<ApiReply<Body>> {
    return this.send<Body>('PATCH', path, body);
  }

  delete(path: string): Promise<ApiReply> {
    return this.send('DELETE', path);
  }

  private async send<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiReply<Body>> {
    const reply = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json') === true;
    return {
      status: reply.status,
      body: (isJson && text !== '' ? JSON.parse(text) : text) as Body,
      headers: reply.headers,
    };
  }
}
