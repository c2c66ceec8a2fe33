import type { Transaction } from '../../platform/database/database.js';
import type { Attribution } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { setSuspension } from './organizations.queries.js';
import type { OrganizationBody } from './organizations.dto.js';
import { requireOrganization } from './require-organization.js';

export interface SuspensionChange extends Attribution {
  readonly organizationId: string;
  readonly suspended: boolean;
  /** The reason; null keeps the reason of an existing suspension. */
  readonly reason: string | null;
}

/**
 * Suspends an organization, changes the reason of a suspension, or lifts it; a no-op if nothing changes.
 * @throws {Problem} 404
 */
export async function changeSuspension(
  tx: Transaction,
  { organizationId, suspended, reason, actor, now }: SuspensionChange,
): Promise<OrganizationBody> {
  const known = await requireOrganization(tx, organizationId);
  const { suspended_at: since } = known;
  const isOtherReason = suspended && reason !== null && reason !== known.suspension_reason;
  if (suspended === (since !== null) && !isOtherReason) return known;
  const changed = await setSuspension(tx, known.id, suspended ? (since ?? now) : null, suspended ? reason : null);
  await recordAudit(tx, {
    organizationId: known.id,
    actor,
    action: suspended ? 'organization.suspended' : 'organization.resumed',
    target: { kind: 'organization', id: known.id },
    details: { reason },
    now,
  });
  return changed;
}
