import type { Transaction } from '../../platform/database/database.js';
import { requireById } from '../../platform/http/require-by-id.js';
import type { OrganizationBody } from '../organizations/organizations.dto.js';
import { type ApiKeyRow, lockApiKey } from './api-keys.queries.js';

/**
 * Locks a key that is to be changed.
 * @param organization already locked, as a plan change locks it before its keys: any other order could deadlock
 * @throws {Problem} 404
 */
export function requireLockedKey(tx: Transaction, organization: OrganizationBody, keyId: string): Promise<ApiKeyRow> {
  return requireById('API key', keyId, (id) => lockApiKey(tx, organization.id, id));
}
