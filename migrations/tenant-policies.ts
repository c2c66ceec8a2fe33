/**
 * Row-level security of a table with tenants' rows, for the migration that makes the table
 * (docs/decisions/0004-row-level-security.md). Each setting is read in a sub-select, once a statement and not once a row,
 * and spelled out: a function would be taken apart anew whenever a statement is planned.
 */
const SYSTEM = `(SELECT current_setting('app.system', true) = 'on')`;
const idIn = (setting: string): string => `(SELECT nullif(current_setting('${setting}', true), '')::uuid)`;
const ofOrganization = (column: string): string => `${column} = ${idIn('app.organization_id')}`;
/** Holds too where the scope names no workspace: then there is nothing to compare with. */
const ofWorkspace = (column: string): string => `(${column} = ${idIn('app.workspace_id')}) IS NOT FALSE`;

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
