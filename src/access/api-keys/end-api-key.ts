import type { Transaction } from '../../platform/database/database.js';
import { isId } from '../../platform/ids.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { type ApiKeyRow, findApiKey, lockApiKeys, revokeApiKey } from './api-keys.queries.js';
import { unlockFitting } from './unlock-api-keys.js';

/** What a revocation has done. */
export interface EndedApiKey {
  /** As it is now. */
  readonly key: ApiKeyRow;
  /** False for one that had been revoked before, which stays as it was. */
  readonly revoked: boolean;
  /** How many others fit in its place. */
  readonly unlocked: number;
}

/**
 * Revokes a key for good. Keys that a lower plan has locked, and that fit in its place, are unlocked: else those who revoke
 * the keys left open to them would be left with locked ones, which count against the plan as well.
 * @returns undefined where the organization has no such key
 * @throws {Problem} 404 for the organization
 */
export async function endApiKey(
  tx: Transaction,
  organizationId: string,
  keyId: string,
  now: Date,
): Promise<EndedApiKey | undefined> {
  // first, as a change of the plan does: a key held meanwhile would be a deadlock
  const organization = await requireOrganization(tx, organizationId);
  const keys = await lockApiKeys(tx, organizationId);
  if (!keys.some(({ id }) => id === keyId)) {
    const key = isId(keyId) ? await findApiKey(tx, organizationId, keyId) : undefined;
    return key && { key, revoked: false, unlocked: 0 };
  }
  const key = await revokeApiKey(tx, organizationId, keyId, now);
  return { key, revoked: true, unlocked: await unlockFitting(tx, organization, keys, now) };
}
