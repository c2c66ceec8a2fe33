import type { ClientBase, PoolConfig } from 'pg';
import { APPLICATION_NAME } from '../embedded-postgres/embedded-postgres.js';
import { CONNECTION_PATIENCE_MS } from './connect.js';
import { type SessionSettings, settle } from './session-settings.js';

/**
 * Milliseconds of silence after which TCP keep-alive probes a connection. A server that vanished (power cut, network, failover)
 * closes nothing; with the usual two hours of the operating system a query would wait that long and block its connection.
 */
const SILENCE_MS = 10_000;

/** How every pool of the service connects. @param purpose tells its connections from others in pg_stat_activity */
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
