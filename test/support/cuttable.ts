import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createTestDatabase } from './databases.js';
import { freePort } from './free-port.js';
import { startTestService, type TestService } from './test-service.js';

/**
 * A way to a TCP server that can be cut and opened again.
 * @param own port or path of the socket at which it begins
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
  /** Takes the database away. */
  cut(): Promise<void>;
  mend(): Promise<unknown>;
  /** Has what is sent by the connections of this moment vanish, as if it had arrived. */
  swallow(): void;
  close(): Promise<void>;
}

/**
 * A process of the API whose way to its database can be cut and opened again.
 * @param socketDirectory where a Unix socket of the database is made, to be reached by that instead of a port
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
