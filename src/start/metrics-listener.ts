import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathOf } from '../platform/http/server/path-of.js';
import { Problem } from '../platform/http/problem.js';
import type { Logger } from '../platform/logging/logger.js';
import { expose } from '../platform/metrics/exposition.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { unavailable } from './port.js';

/** Maximum number of concurrent connections: scrapers are few. */
const MAX_CONNECTIONS = 32;

export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on an address of its own that the service's clients cannot reach: metrics are for operators.
 * @throws {PortUnavailableError}
 */
export async function listenForScrapes(
  { host, port }: { readonly host: string; readonly port: number },
  metrics: Metrics,
  logger: Logger,
): Promise<MetricsListener> {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, reply) => {
    answer(request, reply, metrics).catch((error: unknown) => {
      logger.error({ err: error }, 'a metrics scrape failed');
      send(reply, 500, 'The metrics could not be read.\n');
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, host, port);
  const { address, family, port: bound } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`;
  logger.info({ url }, 'serving metrics');
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(unavailable('METRICS_PORT', host, port, error)));
    server.listen(port, host, resolve);
  });
}

async function answer(request: IncomingMessage, reply: ServerResponse, metrics: Metrics): Promise<void> {
  if (pathOf(request.url ?? '') !== '/metrics') return send(reply, 404, 'Metrics are at /metrics.\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    reply.setHeader('allow', 'GET, HEAD');
    return send(reply, 405, 'Metrics can only be read.\n');
  }
  try {
    const { contentType, body } = await expose(metrics, request.headers.accept);
    send(reply, 200, body, contentType);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    send(reply, error.status, `${error.detail}\n`);
  }
}

function send(reply: ServerResponse, status: number, body: string, contentType = 'text/plain; charset=utf-8'): void {
  reply.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
}
