import type { Transaction } from '../../platform/database/database.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { type OrganizationRow, setSuspension } from './organizations.queries.js';

export interface SuspensionChange extends Attribution {
  readonly suspended: boolean;
  /** The reason; null keeps the reason of an existing suspension. */
  readonly reason: string | null;
}

/** Suspends an organization, changes the reason of a suspension, or lifts it; a no-op if nothing changes. */
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
