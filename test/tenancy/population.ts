const WORKSPACE_IDS = [
  'workspace_id',
  'series_id',
  'import_id',
  'alert_id',
  'run_id',
  'current',
  'prior',
  'queued_run_id',
  'connector_id',
  'refused_connector_id',
] as const;
/** Names that routes give to ids of a workspace's rows. */
export const WORKSPACE_ID_NAMES: ReadonlySet<string> = new Set(WORKSPACE_IDS);
const ORGANIZATION_IDS = ['org_id', 'user_id', 'session_id', 'key_id', 'invitation_id'] as const;
/** Names that routes give to ids of a tenant's rows. */
export const ID_NAMES: ReadonlySet<string> = new Set([...WORKSPACE_IDS, ...ORGANIZATION_IDS]);

export type WorkspaceIds = Readonly<Record<(typeof WORKSPACE_IDS)[number], string>>;
export type Ids = WorkspaceIds & Readonly<Record<(typeof ORGANIZATION_IDS)[number], string>>;
export type IdName = keyof Ids;

/** An organization that has something of everything, in two workspaces. */
export interface Population {
  readonly ids: Ids;
  /** Rows of its other workspace. */
  readonly neighbour: WorkspaceIds;
  readonly organizationKey: string;
  /** Bound to the first workspace. */
  readonly workspaceKey: string;
  /** In every text that the organization has written, and in no other's. */
  readonly marker: string;
  /** In every text of the neighbour. */
  readonly neighbourMarker: string;
}
