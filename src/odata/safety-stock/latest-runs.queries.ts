import type { Queryable } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';
import { LATEST_OF_WORKSPACES } from '../model/runs.queries.js';

export interface LatestRun {
  readonly id: string;
  readonly workspace_id: string;
}

/** The last completed run of each workspace. */
export function readLatestRuns(db: Queryable, tenant: Tenant): Promise<LatestRun[]> {
  return db.query<{ id: string; workspace_id: string }>(
    `SELECT latest.id, workspaces.id AS workspace_id FROM ${LATEST_OF_WORKSPACES} ORDER BY workspaces.id`,
    [tenant.organizationId, tenant.workspaceId],
  );
}
