import type { Transaction } from '../../platform/database/database.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { type OrganizationRow, setSuspension } from './organizations.queries.js';

export interface SuspensionChange extends Attribution {
  readonly suspended: boolean;
  /** Why; null leaves that of a suspension as it is. */
  readonly reason: string | null;
}

/** Suspends an organization, gives a suspension another reason, or lets it work again; what is as wanted stays untouched. */
export async function changeSuspension(
  tx: Transaction,
  organization: OrganizationRow,
  change: SuspensionChange,
): Promise<void> {
  const { suspended, reason, actor, now } = change;
  const { id: organizationId, suspended_at: since } = organization;
  const isOtherReason = suspended && reason !== null && reason !== organization.suspension_reason;
  if (suspended === (since !== null) && !isOtherReason) return;
  await setSuspension(tx, organizationId, suspended ? (since ?? now) : null, suspended ? reason : null);
  await recordAudit(tx, {
    organizationId,
    actor,
    action: suspended ? 'organization.suspended' : 'organization.resumed',
    target: { kind: 'organization', id: organizationId },
    details: { reason },
    occurredAt: now,
  });
}
