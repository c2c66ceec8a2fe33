import type { AuditEntry } from '../access/audit/audit-event.js';
import { COMMAND_LINE } from './actor.js';
import { recordAudit } from '../access/audit/audit-log.js';
import type { Transaction } from '../platform/database/database.js';

/** Records an action of the command line in the audit log. */
export function auditCommand(tx: Transaction, act: Omit<AuditEntry, 'actor'>): Promise<void> {
  return recordAudit(tx, { ...act, actor: COMMAND_LINE });
}
