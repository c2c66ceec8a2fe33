import { type PlanName, PLANS } from '../../../../config/plans.js';
import type { Transaction } from '../../../platform/database/database.js';
import { lockExcessApiKeys } from '../../api-keys/plan-locks/plan-locks.queries.js';
import type { Attribution } from '../../audit/audit-event.js';
import { recordAudit } from '../../audit/audit-log.js';
import type { OrganizationMails } from '../../mails/organization-mails.js';
import { setPlan } from '../organizations.queries.js';
import { notifyOfDowngrade } from './plan-downgrade-notice.js';
import { requireOrganization } from '../require-organization.js';

export interface PlanChange extends Attribution {
  readonly organizationId: string;
  readonly to: PlanName;
}

/**
 * Moves an organization to a plan: keys beyond its limit are locked, least recently used first; others are unlocked. Admins and
 * owners are notified if programs are refused as a result. The organization is locked first, as when a key is created: a key being
 * created is waited for and counted.
 * @returns how many keys the change has locked and unlocked
 */
export async function changePlan(
  tx: Transaction,
  mails: OrganizationMails,
  { organizationId, to, actor, now }: PlanChange,
): Promise<{ locked: number; unlocked: number }> {
  const { plan: from } = await requireOrganization(tx, organizationId);
  if (from === to) return { locked: 0, unlocked: 0 };
  await setPlan(tx, organizationId, to);
  const { locked, unlocked } = await lockExcessApiKeys(tx, organizationId, PLANS[to].api_keys, now);
  const counts = { locked: locked.length, unlocked: unlocked.length };
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'plan.changed',
    target: { kind: 'organization', id: organizationId },
    details: {
      from,
      to,
      keys_locked: counts.locked,
      keys_unlocked: counts.unlocked,
      locked_key_ids: locked,
      unlocked_key_ids: unlocked,
    },
    now,
  });
  await notifyOfDowngrade(tx, mails, { organizationId, from, to, locked: counts.locked, now });
  return counts;
}
