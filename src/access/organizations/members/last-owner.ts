import type { Transaction } from '../../../platform/database/database.js';
import { Problem } from '../../../platform/http/problem.js';
import { lockOwners } from './memberships.queries.js';

/**
 * Refuses to remove the only owner of an organization; locks the owners until the transaction ends.
 * @throws {Problem} 409 `last_owner`
 */
export async function requireAnotherOwner(tx: Transaction, organizationId: string): Promise<void> {
  if ((await lockOwners(tx, organizationId)) < 2) {
    throw new Problem(409, 'last_owner', 'An organization must have an owner. Make another member an owner first.');
  }
}
