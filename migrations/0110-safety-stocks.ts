import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policies.js';

/**
 * The feed's safety stock was computed into memory, a few runs of any size, and sent to the database with every page: 100,000
 * series were a million parameters, which held the event loop up for a second.
 */
class SafetyStocks extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE safety_stocks (
        series_id uuid NOT NULL,
        run_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        safety_stock double precision NOT NULL,
        reorder_point double precision NOT NULL,
        lead_time_demand double precision NOT NULL,
        lead_time_demand_sigma double precision NOT NULL,
        method text NOT NULL,
        demand_pattern text NOT NULL,
        CONSTRAINT safety_stocks_pkey PRIMARY KEY (series_id, run_id),
        CONSTRAINT safety_stocks_run_id_foreign FOREIGN KEY (run_id) REFERENCES runs (id) ON UPDATE CASCADE ON DELETE CASCADE,
        CONSTRAINT safety_stocks_series_id_foreign FOREIGN KEY (series_id) REFERENCES series (id) ON UPDATE CASCADE ON DELETE CASCADE,
        CONSTRAINT safety_stocks_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT safety_stocks_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX safety_stocks_feed ON safety_stocks (organization_id, series_id)`);
    this.addSql(`CREATE INDEX safety_stocks_run ON safety_stocks (run_id)`);
    this.addSql(`CREATE INDEX safety_stocks_workspace ON safety_stocks (workspace_id)`);
    for (const sql of workspacePolicy('safety_stocks')) this.addSql(sql);
  }
}

export const safetyStocks = { name: '0110-safety-stocks', class: SafetyStocks };
