import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createTestDatabase } from './databases.js';
import { freePort } from './processes/free-port.js';
import { startTestService, type TestService } from './test-service.js';

/**
 * A proxy to a TCP server that can be cut off and restored.
 * @param own port or socket path that it listens on
 */
async function cuttable(host: string, port: number, own: number | string) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from) && to.destroy());
    }
  });
  const listen = () =>
    once(typeof own === 'number' ? server.listen(own, '127.0.0.1') : server.listen(own), 'listening');
  await listen();
  return {
    mend: listen,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    swallow: () => {
      for (const socket of open) socket.unpipe().resume();
    },
  };
}

export interface CuttableService {
  readonly service: TestService;
  /** Cuts off the database. */
  cut(): Promise<void>;
  mend(): Promise<unknown>;
  /** Silently discards what the current connections send from now on, as if it had arrived. */
  swallow(): void;
  close(): Promise<void>;
}

/**
 * A process of the API whose connection to its database can be cut off and restored.
 * @param socketDirectory where to create a Unix socket for the database, to be used instead of a port
 */
export async function startCuttableService(
  environment: Record<string, string> = {},
  socketDirectory?: string,
): Promise<CuttableService> {
  const database = await createTestDatabase();
  const url = new URL(database.url);
  const port = await freePort();
  const own = socketDirectory === undefined ? port : join(socketDirectory, `.s.PGSQL.${port}`);
  const { cut, mend, swallow } = await cuttable(url.hostname, Number(url.port), own);
  url.port = String(port);
  if (socketDirectory !== undefined) url.hostname = encodeURIComponent(socketDirectory);
  const service = await startTestService({
    role: 'api',
    database: { url: url.href, drop: () => database.drop() },
    environment: { LOG_LEVEL: 'silent', ...environment },
  });
  return {
    service,
    cut,
    mend,
    swallow,
    close: async () => {
      await service.close();
      await cut();
      await database.drop();
    },
  };
}
