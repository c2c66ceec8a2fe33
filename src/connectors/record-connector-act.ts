import { type AuditAct, type MemberCaller, recordAuditBy } from '../access/index.js';
import type { Transaction } from '../platform/database/database.js';
import { canonicalId } from '../platform/ids.js';

/** An action of a member on a connector, for the audit log. */
interface ConnectorAct extends Omit<AuditAct, 'target'> {
  readonly connectorId: string;
}

export function recordConnectorAct(
  tx: Transaction,
  member: MemberCaller,
  { connectorId, details, ...act }: ConnectorAct,
): Promise<void> {
  return recordAuditBy(tx, member, {
    ...act,
    target: { kind: 'connector', id: canonicalId(connectorId) },
    details: { workspace_id: member.workspaceId, ...details },
  });
}
