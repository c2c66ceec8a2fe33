import { createServer } from 'node:net';

/** The address cannot be listened on; the message is one line for the operator. */
export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError';
}

/** Fails early, before a database is started, when the port cannot be had. */
export function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be listened on (${error.code})`;
      reject(new PortUnavailableError(`port ${port} on ${host} ${reason}; stop what holds it or set PORT`));
    });
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
