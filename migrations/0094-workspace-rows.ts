import { Migration } from '@mikro-orm/migrations';

/** Deleting a workspace asks each table that refers to workspaces for its rows, and read these from end to end. */
class WorkspaceRows extends Migration {
  override up(): void {
    this.addSql(`CREATE INDEX runs_workspace ON runs (workspace_id, finished_at, id)`);
    this.addSql(`CREATE INDEX run_chunks_workspace ON run_chunks (workspace_id)`);
    this.addSql(`CREATE INDEX alerts_workspace ON alerts (workspace_id, created_at, id)`);
    this.addSql(`CREATE INDEX trend_changes_workspace ON trend_changes (workspace_id, changed_at, id)`);
    this.addSql(`CREATE INDEX api_keys_workspace ON api_keys (workspace_id)`);
  }
}

export const workspaceRows = { name: '0094-workspace-rows', class: WorkspaceRows };
