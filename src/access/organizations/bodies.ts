import type { MemberRow } from './memberships.queries.js';
import type { MemberBody, OrganizationBody, WorkspaceBody } from './organizations.dto.js';
import type { OrganizationRow } from './organizations.queries.js';
import type { WorkspaceRow } from './workspaces.queries.js';

// Rows of organizations, members and workspaces as the routes answer them.

export function organizationBody(row: OrganizationRow): OrganizationBody {
  return {
    ...row,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    delete_after: row.delete_after?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function memberBody(row: MemberRow): MemberBody {
  return {
    ...row,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function workspaceBody(row: WorkspaceRow): WorkspaceBody {
  return { ...row, created_at: row.created_at.toISOString() };
}
