import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two attempts of a call. */
const RETRY_MS = 500;
/** Number of retries while the database is unreachable: for twenty seconds. */
const RETRIES = 40;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The demo cannot be loaded; the message is one line for the operator. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/** Calls the service's own public API with the demo's key, like any client. */
export class DemoClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
    private readonly stopped: () => boolean,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>(path, { method: 'GET', headers: {} });
  }

  /** @param step the idempotency key: two processes that start at once load the demo only once */
  post<T>(path: string, step: string, type: string, body: string): Promise<T> {
    const headers = { 'content-type': type, 'idempotency-key': `demo ${step}` };
    return this.call<T>(path, { method: 'POST', headers, body });
  }

  private async call<T>(path: string, request: Call): Promise<T> {
    let reply = await this.send(path, request);
    for (let retry = 0; reply.status === 503 && retry < RETRIES && !this.stopped(); retry += 1) {
      await sleep(RETRY_MS); // the database is unreachable or its disk is full; either may pass
      reply = await this.send(path, request);
    }
    if (reply.ok) return (await reply.json()) as T;
    const { detail } = (await reply.json()) as { detail: string };
    throw new DemoError(
      `the demo could not be loaded: ${request.method} ${path} returned ${reply.status} (${detail}) Check the log and the disk space; start again to continue, or set DEMO=off to start without the demo`,
    );
  }

  private send(path: string, request: Call): Promise<Response> {
    const headers = { 'x-api-key': this.apiKey, ...request.headers };
    return fetch(`${this.baseUrl}/api/v1${path}`, { ...request, headers });
  }
}
