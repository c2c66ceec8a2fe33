import type { Transaction } from '../../platform/database/database.js';
import { DAY_MS } from '../../platform/durations.js';
import { Problem } from '../../platform/http/problem.js';
import type { AuditActor } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { type OrganizationRow, setDeletion } from './organizations.queries.js';
import { requireOrganization } from './require-organization.js';

/** Milliseconds in which a deletion can be taken back. */
const GRACE_MS = 30 * DAY_MS;

export interface DeletionChange {
  readonly organizationId: string;
  /** Whether the organization is to be deleted, or to stay. */
  readonly deleted: boolean;
  readonly actor: AuditActor;
  readonly now: Date;
}

/**
 * Asks for the deletion of an organization, which takes effect after 30 days and refuses its API keys from now on, or takes the request
 * back. What is as wanted stays untouched: asked again, the day stays.
 * @throws {Problem} 404, also where the day has come
 */
export async function changeDeletion(
  tx: Transaction,
  { organizationId, deleted, actor, now }: DeletionChange,
): Promise<OrganizationRow> {
  const known = await requireOrganization(tx, organizationId);
  if (known.delete_after !== null && known.delete_after <= now) throw Problem.notFound('organization');
  if (deleted === (known.delete_after !== null)) return known;
  const at = deleted ? new Date(now.getTime() + GRACE_MS) : null;
  const changed = await setDeletion(tx, known.id, at);
  await recordAudit(tx, {
    organizationId,
    actor,
    action: deleted ? 'organization.deletion_requested' : 'organization.deletion_canceled',
    target: { kind: 'organization', id: known.id },
    details: { delete_after: at },
    occurredAt: now,
  });
  return changed ?? known;
}
