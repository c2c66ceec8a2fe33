import type { ClientBase, PoolConfig } from 'pg';
import { APPLICATION_NAME } from '../embedded-postgres/embedded-postgres.js';
import { CONNECTION_PATIENCE } from './patience.js';
import { type SessionSettings, settle } from './session-settings.js';

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
    onConnect: (client) => settle(client, others),
  };
}
