import type { Queryable } from '../../../platform/database/database.js';
import { countLiveApiKeys } from '../../api-keys/api-keys.queries.js';
import { countMembers } from '../members/memberships.queries.js';
import { countWorkspaces } from '../workspaces/workspaces.queries.js';

/** What counts against the limits of an organization's plan; call it in the scope of the whole organization. */
export async function countPlanUse(
  db: Queryable,
  organizationId: string,
  now: Date,
): Promise<Readonly<Record<'workspaces' | 'members' | 'api_keys', number>>> {
  return {
    workspaces: await countWorkspaces(db, organizationId),
    members: await countMembers(db, organizationId, now),
    api_keys: await countLiveApiKeys(db, organizationId, now),
  };
}
