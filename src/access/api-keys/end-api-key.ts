import { PLANS } from '../../../config/plans.js';
import type { Transaction } from '../../platform/database/database.js';
import { isId } from '../../platform/ids.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { type ApiKeyRow, lockApiKey, revokeApiKey } from './api-keys.queries.js';
import { unlockFittingApiKeys } from './plan-locks.queries.js';

/** Result of a revocation. */
export interface EndedApiKey {
  /** The key as it is now. */
  readonly key: ApiKeyRow;
  /** False where the key was revoked before. */
  readonly revoked: boolean;
  /** Ids of the keys that were unlocked in its place. */
  readonly unlocked: readonly string[];
}

/**
 * Revokes a key for good and unlocks keys that a lower plan had locked and that now have room. Otherwise an organization that revokes
 * its open keys would be left with locked ones, which count against the plan too.
 * @returns undefined where the organization has no such key
 * @throws {Problem} 404 for the organization
 */
export async function endApiKey(
  tx: Transaction,
  organizationId: string,
  keyId: string,
  now: Date,
): Promise<EndedApiKey | undefined> {
  if (!isId(keyId)) return undefined;
  // the organization before the keys, as a change of plan locks them: another order would be a deadlock
  const { plan } = await requireOrganization(tx, organizationId);
  const known = await lockApiKey(tx, organizationId, keyId);
  if (!known || known.revoked_at !== null) return known && { key: known, revoked: false, unlocked: [] };
  const key = await revokeApiKey(tx, organizationId, known.id, now);
  return { key, revoked: true, unlocked: await unlockFittingApiKeys(tx, organizationId, PLANS[plan].api_keys, now) };
}
