import type { ClientBase, PoolConfig } from 'pg';
import { APPLICATION_NAME } from '../../embedded-postgres/embedded-postgres.js';
import { CONNECTION_PATIENCE_MS } from './connect.js';
import { type SessionSettings, settle } from './session-settings.js';

/**
 * Milliseconds of silence after which TCP keep-alive probes a connection. A server that vanished (power failure, network, failover)
 * closes nothing; with the operating system's usual two hours, a query would wait that long and block its connection.
 */
const SILENCE_MS = 10_000;

/** Connection options of every pool of the service. @param purpose distinguishes its connections in pg_stat_activity */
export function poolOptions(
  url: string,
  purpose: string,
  others?: SessionSettings,
): PoolConfig & { readonly onConnect: (client: ClientBase) => Promise<void> } {
  return {
    connectionString: url,
    application_name: `${APPLICATION_NAME}-${purpose}`,
    connectionTimeoutMillis: CONNECTION_PATIENCE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE_MS,
    onConnect: (client) => settle(client, others),
  };
}
