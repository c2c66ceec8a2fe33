import type { Queryable } from '../../../platform/database/database.js';
import type { WorkspaceTenant } from '../../../platform/database/scope.js';
import type { Succession } from '../../successions.queries.js';

/** The series of an upload for which it names a successor; that is null if the workspace has no such series. The latest row counts. */
export function readStagedSuccessors(
  tx: Queryable,
  tenant: WorkspaceTenant,
): Promise<readonly (Succession & { readonly line: number })[]> {
  return tx.query(
    `SELECT DISTINCT ON (stored_id) stored_id AS "seriesId", successor.id AS "successorId", line
       FROM staged_series AS staged
       LEFT JOIN series AS successor
         ON successor.organization_id = $1 AND successor.workspace_id = $2 AND successor.unique_id = staged.replaced_by
      WHERE staged.replaced_by IS NOT NULL
      ORDER BY stored_id, block DESC`,
    [tenant.organizationId, tenant.workspaceId],
  );
}
