import type { PlanName } from '../../../config/plans.js';
import type { Transaction } from '../../platform/database/database.js';
import { requireById } from '../../platform/http/require-by-id.js';
import { requireOrganization } from '../organizations/require-organization.js';
import { type ApiKeyRow, lockApiKey } from './api-keys.queries.js';

/**
 * A key that is to be changed, and the plan of its organization. Locks the organization before the key, as a change of plan does:
 * another order would be a deadlock.
 * @throws {Problem} 404
 */
export async function requireLockedKey(
  tx: Transaction,
  organizationId: string,
  keyId: string,
): Promise<{ readonly plan: PlanName; readonly known: ApiKeyRow }> {
  const { plan } = await requireOrganization(tx, organizationId);
  const known = await requireById('API key', keyId, (id) => lockApiKey(tx, organizationId, id));
  return { plan, known };
}
