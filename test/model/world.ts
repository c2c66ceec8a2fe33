import { send } from '../support/reply.js';
import type { TestService } from '../support/test-service.js';

/** Who calls: a signed-in user, an API key, or nobody. */
export interface Caller {
  readonly label: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Markers of the tenants of which the caller must see nothing. */
  readonly blindTo: readonly string[];
}

export interface Call {
  readonly caller: Caller;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Reply {
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | undefined;
  /** Members of an object; of a list see {@link items}. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** An object as a list tells it. */
export type Item = Readonly<Record<string, unknown>>;

export const items = (reply: Reply): readonly Item[] => reply.body as unknown as readonly Item[];

/** Processes of the service over one database. */
export class World {
  private sent = 0;

  constructor(readonly services: readonly TestService[]) {}

  /**
   * Sends the call to the next process.
   * @throws {Error} where the reply is wrong whatever was asked: a fault of ours, or something of another tenant
   */
  async send(call: Call): Promise<Reply> {
    const service = this.services[this.sent++ % this.services.length]!;
    const { caller, method, path, body, headers } = call;
    const reply = await send<Reply['body']>(service.url + path, {
      method,
      headers: { ...caller.headers, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers: replyHeaders, text, body: answer } = reply;
    const code = status < 300 ? undefined : String(answer['code']);
    if (status >= 500 && code !== 'public_api_disabled') throw new Error(`${describeCall(call)}: ${status} ${text}`);
    const seen = caller.blindTo.find((marker) => text.includes(marker));
    if (seen !== undefined) throw new Error(`${describeCall(call)} tells of ${seen}: ${text}`);
    return { status, code, body: answer, headers: replyHeaders };
  }
}

/** A call, for the message of a failure. */
export function describeCall({ caller, method, path, body, headers }: Call): string {
  const parts = [body, headers].flatMap((part) => (part === undefined ? [] : JSON.stringify(part)));
  return [`${caller.label}: ${method} ${path}`, ...parts].join(' ');
}
