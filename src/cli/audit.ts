import type { AuditEntry } from '../access/audit/audit-event.js';
import { COMMAND_LINE } from './actor.js';
import { recordAudit } from '../access/audit/audit-log.js';
import type { Transaction } from '../platform/database/database.js';

/** Puts an act of the command line on record. */
export function auditCommand(tx: Transaction, act: Omit<AuditEntry, 'actor'>): Promise<void> {
  return recordAudit(tx, { ...act, actor: COMMAND_LINE });
}
