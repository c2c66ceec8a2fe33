import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';

/**
 * Keeps the workspace from being deleted until the transaction ends. Call it before locking more than one thing in the workspace: its
 * deletion begins with the same row, and another order would be a deadlock.
 */
export async function holdWorkspace(tx: Queryable, tenant: WorkspaceTenant): Promise<void> {
  await lock(tx, tenant, 'KEY SHARE');
}

/**
 * As {@link holdWorkspace}, for work that must not wait for the deletion of a workspace, which may take minutes: the work of all others
 * would wait with it.
 * @throws where the workspace is being deleted; `isLockedOut` tells
 */
export async function holdWorkspaceAtOnce(tx: Queryable, tenant: WorkspaceTenant): Promise<void> {
  await lock(tx, tenant, 'KEY SHARE NOWAIT');
}

/**
 * As {@link holdWorkspace}, but for one transaction at a time: for merging demand and for completing runs, both of which build on
 * what the transaction before has left.
 * @returns false where there is no such workspace
 */
export function lockWorkspace(tx: Queryable, tenant: WorkspaceTenant): Promise<boolean> {
  return lock(tx, tenant, 'NO KEY UPDATE');
}

/** @returns whether there is such a workspace */
async function lock(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  strength: 'KEY SHARE' | 'KEY SHARE NOWAIT' | 'NO KEY UPDATE',
): Promise<boolean> {
  const sql = `SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR ${strength}`;
  return (await tx.query(sql, [organizationId, workspaceId])).length === 1;
}
