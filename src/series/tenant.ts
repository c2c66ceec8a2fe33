/** Whose data a query is about; every query of this module names it. */
export interface WorkspaceTenant {
  readonly organizationId: string;
  readonly workspaceId: string;
}
