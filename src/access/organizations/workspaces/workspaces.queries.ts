import { countRows, one, oneOrNone, type Queryable, type Transaction } from '../../../platform/database/database.js';
import type { WorkspaceBody } from '../organizations.dto.js';

const COLUMNS = 'id, name, time_zone, created_at';

export function findWorkspace(
  db: Queryable,
  organizationId: string,
  workspaceId: string,
): Promise<WorkspaceBody | undefined> {
  return oneOrNone<WorkspaceBody>(db, `SELECT ${COLUMNS} FROM workspaces WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    workspaceId,
  ]);
}

/**
 * Like {@link findWorkspace}, and keeps the workspace from being deleted until the transaction ends. One that is being deleted
 * counts as gone: whoever has locked the organization must not wait for that, which may take minutes.
 */
export function findAndHoldWorkspace(
  tx: Transaction,
  organizationId: string,
  workspaceId: string,
): Promise<WorkspaceBody | undefined> {
  return oneOrNone<WorkspaceBody>(
    tx,
    `SELECT ${COLUMNS} FROM workspaces WHERE organization_id = $1 AND id = $2 FOR KEY SHARE SKIP LOCKED`,
    [organizationId, workspaceId],
  );
}

export function listWorkspaces(db: Queryable, organizationId: string): Promise<WorkspaceBody[]> {
  return db.query<WorkspaceBody>(`SELECT ${COLUMNS} FROM workspaces WHERE organization_id = $1 ORDER BY id DESC`, [
    organizationId,
  ]);
}

export interface NewWorkspace {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  readonly createdAt: Date;
}

export function insertWorkspace(
  db: Queryable,
  organizationId: string,
  workspace: NewWorkspace,
): Promise<WorkspaceBody> {
  return one<WorkspaceBody>(
    db,
    `INSERT INTO workspaces (id, organization_id, name, time_zone, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
    [workspace.id, organizationId, workspace.name, workspace.timeZone, workspace.createdAt],
  );
}

export interface WorkspaceChange {
  readonly name: string | undefined;
  readonly timeZone: string | undefined;
}

/**
 * Changes the given fields; the others keep their current values, even under concurrent changes.
 * @returns the workspace, and what it was before
 */
export async function updateWorkspace(
  db: Queryable,
  organizationId: string,
  workspaceId: string,
  { name, timeZone }: WorkspaceChange,
): Promise<(WorkspaceBody & { readonly before: Pick<WorkspaceBody, 'name' | 'time_zone'> }) | undefined> {
  const row = await oneOrNone<WorkspaceBody & { name_before: string; time_zone_before: string }>(
    db,
    `UPDATE workspaces w SET name = COALESCE($3, w.name), time_zone = COALESCE($4, w.time_zone)
     FROM (SELECT id, name, time_zone FROM workspaces WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE) known
     WHERE w.organization_id = $1 AND w.id = known.id
     RETURNING w.id, w.name, w.time_zone, w.created_at, known.name AS name_before, known.time_zone AS time_zone_before`,
    [organizationId, workspaceId, name ?? null, timeZone ?? null],
  );
  if (!row) return undefined;
  const { name_before, time_zone_before, ...workspace } = row;
  return { ...workspace, before: { name: name_before, time_zone: time_zone_before } };
}

/** Attempts to lock a workspace for deletion without a key being created for it in the meantime. */
const REMOVAL_ATTEMPTS = 5;

/**
 * Locks the workspace for deletion, and deletes its keys. They go first: a request with an Idempotency-Key locks its API key before
 * the workspace, and a deletion that locked them the other way round would deadlock. They are locked in id order, like in a plan
 * change. If a key was created while waiting for the workspace, the workspace is released and everything starts over; after
 * {@link REMOVAL_ATTEMPTS} attempts, such keys are deleted with the workspace, at the risk of that deadlock.
 * @returns the workspace and the ids of all its keys; undefined if there is no such workspace
 */
export async function lockForRemoval(
  tx: Transaction,
  organizationId: string,
  workspaceId: string,
): Promise<{ readonly workspace: WorkspaceBody; readonly keyIds: readonly string[] } | undefined> {
  const which = [organizationId, workspaceId];
  const keys = `SELECT id FROM api_keys
    WHERE workspace_id IN (SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2)`;
  await tx.execute('SAVEPOINT unlocked');
  for (let attempt = 1; ; attempt += 1) {
    const removed = await tx.query<{ id: string }>(
      `DELETE FROM api_keys WHERE id = ANY (ARRAY(${keys} ORDER BY id FOR UPDATE)) RETURNING id`,
      which,
    );
    const workspace = await oneOrNone<WorkspaceBody>(
      tx,
      `SELECT ${COLUMNS} FROM workspaces WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
      which,
    );
    const late = await tx.query<{ id: string }>(keys, which);
    if (attempt === REMOVAL_ATTEMPTS || late.length === 0)
      return workspace && { workspace, keyIds: [...removed, ...late].map(({ id }) => id) };
    await tx.execute('ROLLBACK TO SAVEPOINT unlocked');
  }
}

/** Deletes the workspace with everything in it. */
export async function deleteWorkspace(tx: Transaction, organizationId: string, workspaceId: string): Promise<void> {
  await tx.execute(`DELETE FROM workspaces WHERE organization_id = $1 AND id = $2`, [organizationId, workspaceId]);
}

export function countWorkspaces(db: Queryable, organizationId: string): Promise<number> {
  return countRows(db, `SELECT FROM workspaces WHERE organization_id = $1`, [organizationId]);
}
