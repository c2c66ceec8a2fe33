import { type Reply, send } from './reply.js';

/** Calls the application's routes as a signed-in user; without a token, anonymously. */
export class AppClient {
  constructor(
    private readonly url: string,
    readonly token?: string,
  ) {}

  get<Body = Record<string, unknown>>(path: string, headers: Record<string, string> = {}): Promise<Reply<Body>> {
    return this.send('GET', path, undefined, headers);
  }
  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<Reply<Body>> {
    return this.send('POST', path, body, headers);
  }
  patch<Body = Record<string, unknown>>(path: string, body: unknown): Promise<Reply<Body>> {
    return this.send('PATCH', path, body);
  }
  put<Body = Record<string, unknown>>(path: string, body: unknown): Promise<Reply<Body>> {
    return this.send('PUT', path, body);
  }
  delete<Body = Record<string, unknown>>(path: string): Promise<Reply<Body>> {
    return this.send('DELETE', path, undefined);
  }

  private send<Body>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply<Body>> {
    return send<Body>(this.url + path, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}
