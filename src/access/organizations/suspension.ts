import type { Transaction } from '../../platform/database/database.js';
import type { AuditActor } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { setSuspension } from './organizations.queries.js';

export interface SuspensionChange {
  readonly organizationId: string;
  readonly suspended: boolean;
  readonly reason: string | null;
  readonly actor: AuditActor;
  readonly now: Date;
}

/** Suspends an organization, or lets it work again. */
export async function changeSuspension(tx: Transaction, change: SuspensionChange): Promise<void> {
  const { organizationId, suspended, reason, actor, now } = change;
  await setSuspension(tx, organizationId, suspended ? now : null, suspended ? reason : null);
  await recordAudit(tx, {
    organizationId,
    actor,
    action: suspended ? 'organization.suspended' : 'organization.resumed',
    target: { kind: 'organization', id: organizationId },
    details: { reason },
    occurredAt: now,
  });
}
