import { PLANS } from '../../../config/plans.js';
import type { Transaction } from '../../platform/database/database.js';
import { isId } from '../../platform/ids.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { type ApiKeyRow, lockApiKey, revokeApiKey } from './api-keys.queries.js';
import { unlockFittingApiKeys } from './plan-locks/plan-locks.queries.js';

/** Result of a revocation. */
export interface EndedApiKey {
  /** The current state of the key. */
  readonly key: ApiKeyRow;
  /** False if the key had been revoked before. */
  readonly revoked: boolean;
  /** Ids of the keys unlocked in its place. */
  readonly unlocked: readonly string[];
}

/**
 * Permanently revokes a key and unlocks keys that were locked by a downgrade and now have room. Otherwise an organization that
 * revokes its open keys would be left with locked ones, which also count against the plan.
 * @returns undefined if the organization has no such key
 * @throws {Problem} 404 for the organization
 */
export async function endApiKey(
  tx: Transaction,
  organizationId: string,
  keyId: string,
  now: Date,
): Promise<EndedApiKey | undefined> {
  if (!isId(keyId)) return undefined;
  // the organization before the keys, like a plan change: any other order could deadlock
  const { plan } = await requireOrganization(tx, organizationId);
  const known = await lockApiKey(tx, organizationId, keyId);
  if (!known || known.revoked_at !== null) return known && { key: known, revoked: false, unlocked: [] };
  const key = await revokeApiKey(tx, organizationId, known.id, now);
  return { key, revoked: true, unlocked: await unlockFittingApiKeys(tx, organizationId, PLANS[plan].api_keys, now) };
}
