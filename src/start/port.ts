import { lookup } from 'node:dns/promises';
import { createServer } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DrainingAdapter } from '../platform/http/server/draining-adapter.js';
import type { Logger } from '../platform/logging/logger.js';

/** The service cannot listen on the address; the message is one line for the operator. */
export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError';
}

/** The error of listening, worded for the operator, with the setting to change. @param setting the one that determines the port */
export function unavailable(
  setting: PortSetting,
  host: string,
  port: number,
  { code }: NodeJS.ErrnoException,
): PortUnavailableError {
  const reason = REASONS[code ?? '']?.(setting) ?? `cannot be used (${code}); set ${setting}`;
  return new PortUnavailableError(`port ${port} on ${host} ${reason}`);
}

type PortSetting = 'PORT' | 'METRICS_PORT';
const noSuchAddress = (setting: PortSetting): string =>
  `cannot be used: this machine has no such address; set ${setting.replace('PORT', 'HOST')}`;
const REASONS: Readonly<Record<string, (setting: PortSetting) => string>> = {
  EADDRINUSE: (setting) => `is already in use; stop the process that uses it, or set ${setting}`,
  EACCES: (setting) =>
    `requires a privilege that this account does not have; set ${setting}, usually to 1024 or higher`,
  EADDRNOTAVAIL: noSuchAddress,
  ENOTFOUND: noSuchAddress,
};

/** What can listen: the application or a server. */
interface Listener {
  listen(port: number, host: string): Promise<unknown>;
}

/**
 * Listens on PORT at HOST. `localhost` may resolve to ::1 in addition to 127.0.0.1; given that name, Fastify would open servers of
 * its own for the additional addresses, which would never be drained. A machine may resolve a name to an address that it does not
 * have: then it listens on the others.
 * @throws {PortUnavailableError} if another process has taken the port since {@link checkPort}
 */
export async function listenOnAll(
  app: NestFastifyApplication,
  host: string,
  port: number,
  logger: Logger,
): Promise<void> {
  const addresses = host === 'localhost' ? await lookup(host, { all: true }) : [{ address: host }];
  const [first = host, ...others] = new Set(addresses.map(({ address }) => address));
  await listenOn(app, first, port);
  const { httpAdapter } = app.get<HttpAdapterHost<DrainingAdapter>>(HttpAdapterHost);
  for (const other of others) {
    await httpAdapter
      .alsoListenOn(other)
      .catch((error: unknown) => logger.warn({ err: error, address: other }, 'not listening on an additional address'));
  }
}

/** Listens on PORT. @throws {PortUnavailableError} if another process has taken the port since {@link checkPort} */
export async function listenOn(listener: Listener, host: string, port: number): Promise<void> {
  try {
    await listener.listen(port, host);
  } catch (error) {
    const fault = error as NodeJS.ErrnoException;
    throw fault.syscall === 'listen' ? unavailable('PORT', host, port, fault) : fault;
  }
}

/** Fails early, before a database is started, if the port is not available. */
export function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(unavailable('PORT', host, port, error)));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
