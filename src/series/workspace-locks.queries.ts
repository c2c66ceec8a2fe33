import type { Queryable } from '../platform/database/database.js';
import type { WorkspaceTenant } from '../platform/database/scope.js';

/**
 * Keeps the workspace from being deleted until the transaction ends. Call it before locking several things in the workspace: its deletion
 * locks the same row first, and any other order would be a deadlock.
 */
export async function holdWorkspace(tx: Queryable, tenant: WorkspaceTenant): Promise<void> {
  await lock(tx, tenant, 'KEY SHARE');
}

/**
 * As {@link holdWorkspace}, for work that must not wait for the deletion of a workspace: that may take minutes, and would block the work of
 * all others.
 * @throws if the workspace is being deleted; `isLockTimeout` recognizes the error
 */
export async function holdWorkspaceAtOnce(tx: Queryable, tenant: WorkspaceTenant): Promise<void> {
  await lock(tx, tenant, 'KEY SHARE NOWAIT');
}

/**
 * As {@link holdWorkspace}, but exclusively: for merging demand and for completing runs, both of which build on what the previous
 * transaction has left.
 * @returns false if there is no such workspace
 */
export function lockWorkspace(tx: Queryable, tenant: WorkspaceTenant): Promise<boolean> {
  return lock(tx, tenant, 'NO KEY UPDATE');
}

/** @returns whether the workspace exists */
async function lock(
  tx: Queryable,
  { organizationId, workspaceId }: WorkspaceTenant,
  strength: 'KEY SHARE' | 'KEY SHARE NOWAIT' | 'NO KEY UPDATE',
): Promise<boolean> {
  const sql = `SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR ${strength}`;
  return (await tx.query(sql, [organizationId, workspaceId])).length === 1;
}
