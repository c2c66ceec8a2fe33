import type { Queryable } from '../../platform/database/database.js';
import type { Tenant } from '../../platform/database/scope.js';

export interface LatestRun {
  readonly id: string;
  readonly workspace_id: string;
}

/** The last completed run of each workspace. */
export function readLatestRuns(db: Queryable, tenant: Tenant): Promise<LatestRun[]> {
  return db.query<{ id: string; workspace_id: string }>(
    `SELECT DISTINCT ON (workspace_id) id, workspace_id FROM runs
      WHERE organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND status = 'completed'
      ORDER BY workspace_id, finished_at DESC, id DESC`,
    [tenant.organizationId, tenant.workspaceId],
  );
}
