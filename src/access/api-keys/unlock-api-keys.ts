import { PLANS } from '../../../config/plans.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { AuditActor } from '../audit/audit-event.js';
import { recordAudit } from '../audit/audit-log.js';
import { lockOrganization, type OrganizationRow } from '../organizations/organizations.queries.js';
import {
  type ApiKeyRow,
  listLockedOrganizations,
  lockLockedApiKeys,
  unlockFittingApiKeys,
} from './api-keys.queries.js';

const CLEANER: AuditActor = { kind: 'system', id: null, name: 'cleaning', address: null };

/**
 * Unlocks keys that a lower plan had locked and for which others that have ended left room.
 * @param keys those of the organization, locked by {@link lockLockedApiKeys}
 * @returns how many
 */
export async function unlockFitting(
  tx: Transaction,
  organization: Pick<OrganizationRow, 'id' | 'plan'>,
  keys: readonly ApiKeyRow[],
  now: Date,
): Promise<number> {
  if (!keys.some(({ locked_at }) => locked_at !== null)) return 0;
  return unlockFittingApiKeys(tx, organization.id, PLANS[organization.plan].api_keys, now);
}

/** {@link unlockFitting} in a transaction of its own. */
export function unlockApiKeys(
  database: Database,
  organizationId: string,
  { actor, now }: { readonly actor: AuditActor; readonly now: Date },
): Promise<void> {
  return database.transaction(async (tx) => {
    const organization = await lockOrganization(tx, organizationId);
    if (!organization) return; // deleted meanwhile
    const unlocked = await unlockFitting(tx, organization, await lockLockedApiKeys(tx, organizationId, null), now);
    if (unlocked === 0) return;
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'api_key.unlocked',
      target: { kind: 'organization', id: organizationId },
      details: { keys_unlocked: unlocked },
      occurredAt: now,
    });
  });
}

/** {@link unlockApiKeys} for every organization whose plan has room again, for example because keys have expired. */
export async function unlockApiKeysWithRoom(database: Database, now: Date): Promise<void> {
  for (const { id, plan, open } of await listLockedOrganizations(database, now)) {
    if (open < PLANS[plan].api_keys) await unlockApiKeys(database, id, { actor: CLEANER, now });
  }
}
