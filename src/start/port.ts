import { createServer } from 'node:net';

/** The service cannot listen on the address; the message is one line for the operator. */
export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError';
}

/** The fault of listening as the operator is told it, with the setting to change. @param setting what holds the port */
export function unavailable(
  setting: PortSetting,
  host: string,
  port: number,
  { code }: NodeJS.ErrnoException,
): PortUnavailableError {
  const reason = REASONS[code ?? '']?.(setting) ?? `cannot be listened on (${code}); set ${setting}`;
  return new PortUnavailableError(`port ${port} on ${host} ${reason}`);
}

type PortSetting = 'PORT' | 'METRICS_PORT';
const noSuchAddress = (setting: PortSetting): string =>
  `cannot be listened on: this machine has no such address; set ${setting.replace('PORT', 'HOST')}`;
const REASONS: Readonly<Record<string, (setting: PortSetting) => string>> = {
  EADDRINUSE: (setting) => `is already in use; stop what holds it or set ${setting}`,
  EACCES: (setting) => `needs a right that this account lacks; set ${setting}, mostly to 1024 or more`,
  EADDRNOTAVAIL: noSuchAddress,
  ENOTFOUND: noSuchAddress,
};

/** What can listen: the application, or a server. */
interface Listener {
  listen(port: number, host: string): Promise<unknown>;
}

/** Listens on PORT. @throws {PortUnavailableError} where another has taken the port since {@link checkPort} */
export async function listenOn(listener: Listener, host: string, port: number): Promise<void> {
  try {
    await listener.listen(port, host);
  } catch (error) {
    const fault = error as NodeJS.ErrnoException;
    throw fault.syscall === 'listen' ? unavailable('PORT', host, port, fault) : fault;
  }
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
