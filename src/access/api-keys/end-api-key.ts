import { PLANS } from '../../../config/plans.js';
import type { Transaction } from '../../platform/database/database.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { type ApiKeyRow, listApiKeys, lockApiKeys, lockExcessApiKeys, revokeApiKey } from './api-keys.queries.js';

/**
 * Revokes a key for good. Keys that a lower plan has locked, and that fit in its place, are unlocked: else those who revoke
 * the keys left open to them would be left with locked ones, which count against the plan as well.
 * @throws {Problem} 404 for the organization
 */
export async function endApiKey(
  tx: Transaction,
  organizationId: string,
  keyId: string,
  now: Date,
): Promise<{ key: ApiKeyRow | undefined; unlocked: number }> {
  const { plan } = await requireOrganization(tx, organizationId);
  await lockApiKeys(tx, organizationId);
  const key = await revokeApiKey(tx, organizationId, keyId, now);
  const anyLocked = (await listApiKeys(tx, organizationId)).some((one) => one.locked_at !== null);
  if (!anyLocked) return { key, unlocked: 0 };
  const { unlocked } = await lockExcessApiKeys(tx, organizationId, PLANS[plan].api_keys, now);
  return { key, unlocked };
}
