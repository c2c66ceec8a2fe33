import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';

/**
 * Keeps the workspace from being deleted until the transaction ends. Call it before locking anything in the workspace: its deletion
 * begins with the same row, and another order would be a deadlock.
 */
export async function holdWorkspace(tx: Queryable, { organizationId, workspaceId }: WorkspaceTenant): Promise<void> {
  await tx.query(`SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR KEY SHARE`, [
    organizationId,
    workspaceId,
  ]);
}

/**
 * As {@link holdWorkspace}, for work that must not wait for the deletion of a workspace, which may take minutes: the work of all others
 * would wait with it.
 * @throws where the workspace is being deleted; `isLockedOut` tells
 */
export async function holdWorkspaceAtOnce(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
): Promise<void> {
  await tx.query(`SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR KEY SHARE NOWAIT`, [
    organizationId,
    workspaceId,
  ]);
}

/**
 * As {@link holdWorkspace}, but for one transaction at a time: for merging demand and for completing runs, both of which build on
 * what the transaction before has left.
 * @returns false where there is no such workspace
 */
export async function lockWorkspace(tx: Queryable, { organizationId, workspaceId }: WorkspaceTenant): Promise<boolean> {
  const rows = await tx.query(`SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
    organizationId,
    workspaceId,
  ]);
  return rows.length === 1;
}
