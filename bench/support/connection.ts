import { connect, type Socket } from 'node:net';

/** What is kept of a reply. */
export interface Reply {
  readonly status: number;
  /** Bytes of the body. */
  readonly bytes: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** One HTTP/1.1 connection; the bodies of replies, which must say a Content-Length, are counted and not kept. */
export class Connection {
  private head: Buffer | undefined = Buffer.alloc(0);
  private reply: Reply = { status: 0, bytes: 0 };
  private missing = 0;
  private settle: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;

  private constructor(private readonly socket: Socket) {}

  static open({ hostname, port }: URL): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket: Socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        onread: {
          buffer: Buffer.alloc(262_144),
          callback: (length, bytes) => connection.take(Buffer.from(bytes.buffer, bytes.byteOffset, length)),
        },
      });
      const connection = new Connection(socket);
      socket.once('connect', () => resolve(connection));
      socket.on('error', (error) => {
        reject(error);
        connection.settle?.reject(error);
      });
      socket.on('close', () => connection.settle?.reject(new Error('the connection was closed in mid-reply')));
    });
  }

  /** @throws {Error} where the connection breaks or the reply says no Content-Length */
  get(url: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
    const { host, pathname, search } = new URL(url);
    const lines = [`GET ${pathname}${search} HTTP/1.1`, `host: ${host}`];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.head = Buffer.alloc(0);
      this.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    });
  }

  close(): void {
    this.settle = undefined;
    this.socket.destroy();
  }

  /** Bytes that have arrived; they are overwritten by the next. */
  private take(bytes: Buffer): boolean {
    if (this.head === undefined) this.missing -= bytes.length;
    else this.readHead(Buffer.concat([this.head, bytes]));
    if (this.head === undefined && this.missing === 0) this.settle?.resolve(this.reply);
    return true;
  }

  private readHead(received: Buffer): void {
    this.head = received;
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    const text = received.toString('latin1', 0, end);
    const length = /^content-length: *(\d+)/im.exec(text)?.[1];
    if (length === undefined) {
      this.settle?.reject(new Error('the reply says no Content-Length'));
      return;
    }
    this.reply = { status: Number(text.slice(9, 12)), bytes: Number(length) };
    this.missing = this.reply.bytes - (received.length - end - HEAD_END.length);
    this.head = undefined;
  }
}
