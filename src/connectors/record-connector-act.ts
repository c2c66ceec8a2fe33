import { type AuditAction, type MemberCaller, recordAuditBy } from '../access/index.js';
import type { Transaction } from '../platform/database/database.js';
import { canonicalId } from '../platform/ids.js';

/** An action of a member on a connector, for the audit log. */
interface ConnectorAct {
  readonly action: AuditAction;
  readonly connectorId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

export function recordConnectorAct(tx: Transaction, member: MemberCaller, act: ConnectorAct): Promise<void> {
  const { action, connectorId, details, occurredAt } = act;
  return recordAuditBy(tx, member, {
    action,
    target: { kind: 'connector', id: canonicalId(connectorId) },
    details: { workspace_id: member.workspaceId, ...details },
    occurredAt,
  });
}
