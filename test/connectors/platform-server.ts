import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PlatformReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
}

/** How the next request is answered instead of properly; `hang` never answers. */
export type Misbehaviour =
  | PlatformReply
  | 'hang'
  | ((request: PlatformRequest) => PlatformReply | undefined | Promise<undefined>);

/** A platform on this machine: subclasses speak its protocol, tests make it misbehave. */
export abstract class PlatformServer {
  readonly requests: PlatformRequest[] = [];
  /** Answers for the next requests, one each; undefined answers properly. */
  readonly misbehave: (Misbehaviour | undefined)[] = [];
  /** Answers requests as long as it is set; those for which it returns undefined properly. */
  instead: ((request: PlatformRequest) => PlatformReply | undefined) | undefined;
  /** Requests that the client gave up before they were answered. */
  brokenOff = 0;
  /** Called before a page of a list is answered: for what changes while it is read. @param nth from 1 */
  onPage: ((nth: number) => void) | undefined;
  private pages = 0;
  private server: Server | undefined;

  protected abstract answer(request: PlatformRequest): PlatformReply | Promise<PlatformReply>;

  get url(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    this.server = createServer((incoming, outgoing) => void this.receive(incoming, outgoing));
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise<void>((resolve) => this.server?.close(() => resolve()));
  }

  protected turnPage(): void {
    this.pages += 1;
    this.onPage?.(this.pages);
  }

  private async receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(incoming.url ?? '/', 'http://platform');
    const request = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    this.requests.push(request);
    outgoing.once('close', () => (this.brokenOff += outgoing.writableFinished ? 0 : 1));
    const instead = this.misbehave.shift();
    if (instead === 'hang') return;
    const wrong = (typeof instead === 'function' ? await instead(request) : instead) ?? this.instead?.(request);
    const { status = 200, headers = {}, body } = wrong ?? (await this.answer(request));
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  }
}
