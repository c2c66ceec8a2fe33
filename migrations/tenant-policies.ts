/**
 * Row-level security of a table with tenants' rows, for the migration that makes the table
 * (docs/decisions/0004-row-level-security.md). The sub-selects are evaluated once a statement, not once a row.
 */
const SYSTEM = '(SELECT in_system_scope())';
const ofOrganization = (column: string): string => `${column} = (SELECT current_organization())`;
/** Holds too where the scope names no workspace: then there is nothing to compare with. */
const ofWorkspace = (column: string): string => `(${column} = (SELECT current_workspace())) IS NOT FALSE`;

function policy(table: string, condition: string): string[] {
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `CREATE POLICY tenant ON ${table} USING (${SYSTEM} OR (${condition}))`,
  ];
}

/** Rows of an organization, whichever workspace they are about. */
export function organizationPolicy(table: string, column = 'organization_id'): string[] {
  return policy(table, ofOrganization(column));
}

/** Rows of a workspace: where the scope names one, no other workspace's. */
export function workspacePolicy(table: string, column = 'workspace_id'): string[] {
  return policy(table, `${ofOrganization('organization_id')} AND ${ofWorkspace(column)}`);
}
