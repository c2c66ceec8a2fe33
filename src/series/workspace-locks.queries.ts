import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';

/**
 * Keeps the workspace from being removed until the transaction ends. To be called before anything of it is locked: its
 * removal begins with its row too, and two orders would be a deadlock.
 */
export async function holdWorkspace(tx: Queryable, { organizationId, workspaceId }: WorkspaceTenant): Promise<void> {
  await tx.query(`SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR KEY SHARE`, [
    organizationId,
    workspaceId,
  ]);
}

/**
 * As {@link holdWorkspace}, one transaction at a time: for those that merge demand into the workspace, and those that complete
 * its runs, each of which judges by what the one before has left.
 * @returns false where there is no such workspace
 */
export async function lockWorkspace(tx: Queryable, { organizationId, workspaceId }: WorkspaceTenant): Promise<boolean> {
  const rows = await tx.query(`SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
    organizationId,
    workspaceId,
  ]);
  return rows.length === 1;
}
