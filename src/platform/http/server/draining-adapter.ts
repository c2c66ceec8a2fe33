import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server as Listener, type Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions } from 'fastify';
import { within } from '../../work/deadline.js';
import type { Logger } from '../../logging/logger.js';
import { Throttle } from '../../logging/throttle.js';

/** Milliseconds that requests in progress have to finish once the service stops. */
export const DRAINING_MS = 15_000;

/** Milliseconds between log lines about refused clients. */
const REFUSALS_MS = 30_000;

/**
 * Drains the requests in progress and closes all connections before Nest stops anything that requests need. Node's own close would
 * wait forever for a client that has sent nothing yet, or half a request.
 */
export class DrainingAdapter extends FastifyAdapter {
  /** All open connections, each with the number of its requests in progress. */
  private readonly connections = new Map<Socket, number>();
  /** Listeners on additional addresses. */
  private readonly others: Listener[] = [];
  private draining = false;
  private readonly refusals = new Throttle(REFUSALS_MS);

  constructor(
    options: FastifyHttpOptions<Server>,
    private readonly log: Logger,
    maxConnections: number,
  ) {
    super(options);
    const { server } = this.getInstance();
    server.on('connection', (socket: Socket) => {
      if (this.connections.size >= maxConnections) return this.refuse(socket);
      this.connections.set(socket, 0);
      socket.once('close', () => this.connections.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, reply: ServerResponse) => {
      this.count(socket, 1);
      reply.once('close', () => this.count(socket, -1));
    });
  }

  /**
   * Listens on another address too, on the application's port. Its connections are passed to the one server, so that they are
   * drained like all others.
   */
  async alsoListenOn(host: string): Promise<void> {
    const { server } = this.getInstance();
    // the options that Node's HTTP server sets for its own connections
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    await once(other.listen((server.address() as AddressInfo).port, host), 'listening');
    this.others.push(other);
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- Nest awaits it before it calls the shutdown hooks
  override async beforeClose(): Promise<void> {
    super.beforeClose();
    this.draining = true;
    const { server } = this.getInstance();
    const closed = Promise.all(
      [server, ...this.others].map((listener) => new Promise((resolve) => listener.close(resolve))),
    );
    for (const [socket, requests] of this.connections) if (requests === 0) socket.destroy();
    if (await within(DRAINING_MS, closed)) return;
    this.log.warn({ connections: this.connections.size }, 'requests in progress were aborted');
    for (const socket of this.connections.keys()) socket.destroy();
    await closed;
  }

  /** Closes a connection that there is no room for. */
  private refuse(socket: Socket): void {
    socket.destroy();
    if (!this.refusals.pass()) return;
    this.log.warn({ connections: this.connections.size }, 'a client was refused: the process has no room for more');
  }

  private count(socket: Socket, change: number): void {
    const before = this.connections.get(socket);
    if (before === undefined) return; // already closed
    this.connections.set(socket, before + change);
    // the response head may have been sent before shutdown began, without `Connection: close`
    if (this.draining && before + change === 0) socket.destroySoon();
  }
}
