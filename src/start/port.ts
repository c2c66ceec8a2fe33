import { createServer } from 'node:net';

/** The address cannot be listened on; the message is one line for the operator. */
export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError';
}

/** The fault of listening as the operator is told it. @param setting what holds the port */
export function unavailable(
  setting: 'PORT' | 'METRICS_PORT',
  host: string,
  port: number,
  { code }: NodeJS.ErrnoException,
): PortUnavailableError {
  const reason = code === 'EADDRINUSE' ? 'is already in use' : `cannot be listened on (${code})`;
  return new PortUnavailableError(`port ${port} on ${host} ${reason}; stop what holds it or set ${setting}`);
}

/** Fails early, before a database is started, when the port cannot be had. */
export function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(unavailable('PORT', host, port, error)));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
