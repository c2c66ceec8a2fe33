import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';

/**
 * Keeps the workspace from being removed until the transaction ends. To be called before anything of it is locked: its
 * removal begins with its row too, and two orders would be a deadlock.
 */
export async function holdWorkspace(db: Queryable, { organizationId, workspaceId }: WorkspaceTenant): Promise<void> {
  await db.query(`SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR KEY SHARE`, [
    organizationId,
    workspaceId,
  ]);
}
