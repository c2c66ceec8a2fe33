import type { ClientBase, PoolConfig } from 'pg';
import { APPLICATION_NAME } from '../embedded-postgres/embedded-postgres.js';
import { CONNECTION_PATIENCE } from './patience.js';
import { type SessionSettings, settle } from './session-settings.js';

/**
 * Milliseconds of silence after which a connection is asked whether its other side is still there, as it is not where a server
 * went without a word: power, network, a standby in its place. What waits for a reply would wait for it for two hours otherwise,
 * as systems are set, and keep the connection from all others.
 */
const SILENCE = 10_000;

/** How every pool of the service connects. @param purpose tells its connections from others in pg_stat_activity */
export function poolOptions(
  url: string,
  purpose: string,
  others?: SessionSettings,
): PoolConfig & { readonly onConnect: (client: ClientBase) => Promise<void> } {
  return {
    connectionString: url,
    application_name: `${APPLICATION_NAME}-${purpose}`,
    connectionTimeoutMillis: CONNECTION_PATIENCE,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE,
    onConnect: (client) => settle(client, others),
  };
}
