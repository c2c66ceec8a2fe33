import { Migration } from '@mikro-orm/migrations';

/** Tables of a connector, whose rows go with it by a foreign key of their own. */
const OF_CONNECTOR = ['connector_syncs', 'connector_orders', 'connector_order_lines', 'connector_deliveries'];

/** Keeps work for one tenant from growing with the rows of all others, and that for a chunk of a run with its workspace. */
class LargeWorkspaces extends Migration {
  override up(): void {
    // decided with the plan of a run: looking it up for each chunk read the demand of the whole workspace each time
    this.addSql(`ALTER TABLE runs ADD COLUMN last_month int`);

    // a prepared page of forecasts is planned without its parameters: whatever the planner takes for their number, this
    // index alone gives the rows in their order. It has what two runs are compared by, so that their rows are not read
    this.addSql(`
      CREATE INDEX forecasts_pages ON forecasts (organization_id, run_id, unique_id) INCLUDE (series_id, workspace_id)`);
    this.addSql(`DROP INDEX forecasts_listing`);

    // deleting a workspace asks each table that refers to workspaces for its rows, and read these from end to end
    this.addSql(`CREATE INDEX forecasts_workspace ON forecasts (workspace_id)`);
    this.addSql(`CREATE INDEX runs_workspace ON runs (workspace_id, finished_at, id)`);
    this.addSql(`CREATE INDEX run_chunks_workspace ON run_chunks (workspace_id)`);
    this.addSql(`CREATE INDEX alerts_workspace ON alerts (workspace_id, created_at, id)`);
    this.addSql(`CREATE INDEX trend_changes_workspace ON trend_changes (workspace_id, changed_at, id)`);
    this.addSql(`CREATE INDEX api_keys_workspace ON api_keys (workspace_id)`);
    for (const table of OF_CONNECTOR) {
      this.addSql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_organization_id_foreign`);
      this.addSql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_workspace_id_foreign`);
    }
  }
}

export const largeWorkspaces = { name: '0091-large-workspaces', class: LargeWorkspaces };
