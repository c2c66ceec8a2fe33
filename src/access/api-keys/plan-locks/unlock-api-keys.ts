import { PLANS } from '../../../../config/plans.js';
import type { Database } from '../../../platform/database/database.js';
import type { Attribution, AuditActor } from '../../audit/audit-event.js';
import { recordAudit } from '../../audit/audit-log.js';
import { lockOrganization } from '../../organizations/organizations.queries.js';
import { listLockedOrganizations, unlockFittingApiKeys } from './plan-locks.queries.js';

const CLEANER: AuditActor = { kind: 'system', id: null, name: 'cleaning', address: null };

/** {@link unlockFittingApiKeys} in its own transaction. */
export function unlockApiKeys(database: Database, organizationId: string, { actor, now }: Attribution): Promise<void> {
  return database.transaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId);
    if (!organization) return; // deleted in the meantime
    const unlocked = await unlockFittingApiKeys(tx, organizationId, PLANS[organization.plan].api_keys, now);
    if (unlocked.length === 0) return;
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'api_key.unlocked',
      target: { kind: 'organization', id: organizationId },
      details: { keys_unlocked: unlocked.length, unlocked_key_ids: unlocked },
      now,
    });
  });
}

/** {@link unlockApiKeys} for every organization whose plan has room again, for example because keys have expired. */
export async function unlockApiKeysWithRoom(database: Database, now: Date): Promise<void> {
  for (const { id, plan, open } of await listLockedOrganizations(database, now)) {
    if (open < PLANS[plan].api_keys) await unlockApiKeys(database, id, { actor: CLEANER, now });
  }
}
