import type { Transaction } from '../../platform/database/database.js';
import { Problem } from '../../platform/http/problem.js';
import { lockOrganization } from './organizations.queries.js';
import type { OrganizationBody } from './organizations.dto.js';

/** {@link lockOrganization} of one that may have been deleted since the caller was admitted. @throws {Problem} 404 */
export async function requireOrganization(tx: Transaction, organizationId: string): Promise<OrganizationBody> {
  const organization = await lockOrganization(tx, organizationId);
  if (!organization) throw Problem.notFound('organization');
  return organization;
}
