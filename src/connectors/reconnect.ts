import { type AuditAction, type AuditActor, recordAudit } from '../access/index.js';
import type { Transaction } from '../platform/database/database.js';
import type { ConnectorTenant, StoredConnector } from './connector.js';
import { clearReconnect, noteReconnect } from './connectors.queries.js';
import type { PlatformFault } from './platform-fault.js';

const ACTOR: AuditActor = { kind: 'system', id: null, name: 'connectors', address: null };

/**
 * Notes that the credentials do not work: nothing is asked with them again until somebody tries or changes them.
 * @param connector as it was when the credentials were read
 */
export async function askToReconnect(
  tx: Transaction,
  connector: StoredConnector,
  { code, message }: PlatformFault,
  now: Date,
): Promise<void> {
  const reason = { code, message, since: now.toISOString() };
  if (await noteReconnect(tx, connector, reason)) await tell(tx, connector, 'connector.needs_reconnect', { code }, now);
}

/** Notes that the credentials work. */
export async function noteWorking(tx: Transaction, connector: ConnectorTenant, now: Date): Promise<void> {
  if (await clearReconnect(tx, connector)) await tell(tx, connector, 'connector.reconnected', {}, now);
}

function tell(
  tx: Transaction,
  { organizationId, workspaceId, connectorId }: ConnectorTenant,
  action: AuditAction,
  details: Readonly<Record<string, string>>,
  occurredAt: Date,
): Promise<void> {
  return recordAudit(tx, {
    organizationId,
    actor: ACTOR,
    action,
    target: { kind: 'connector', id: connectorId },
    details: { workspace_id: workspaceId, ...details },
    occurredAt,
  });
}
