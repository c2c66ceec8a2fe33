import type { Queryable } from '../../platform/database/database.js';

export interface WorkspaceRow {
  id: string;
  name: string;
  time_zone: string;
  created_at: Date;
}

const COLUMNS = 'id, name, time_zone, created_at';

export async function findWorkspace(
  db: Queryable,
  organizationId: string,
  workspaceId: string,
): Promise<WorkspaceRow | undefined> {
  const [row] = await db.query<WorkspaceRow>(
    `SELECT ${COLUMNS} FROM workspaces WHERE organization_id = $1 AND id = $2`,
    [organizationId, workspaceId],
  );
  return row;
}

export function listWorkspaces(db: Queryable, organizationId: string): Promise<WorkspaceRow[]> {
  return db.query<WorkspaceRow>(`SELECT ${COLUMNS} FROM workspaces WHERE organization_id = $1 ORDER BY id DESC`, [
    organizationId,
  ]);
}

export interface NewWorkspace {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  readonly createdAt: Date;
}

export async function insertWorkspace(
  db: Queryable,
  organizationId: string,
  workspace: NewWorkspace,
): Promise<WorkspaceRow> {
  const rows = await db.query<WorkspaceRow>(
    `INSERT INTO workspaces (id, organization_id, name, time_zone, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
    [workspace.id, organizationId, workspace.name, workspace.timeZone, workspace.createdAt],
  );
  return rows[0]!;
}
