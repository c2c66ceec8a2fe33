import { Migration } from '@mikro-orm/migrations';

/** Monthly runs that a workspace asks for once. */
class RunSchedules extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE run_schedules (
        workspace_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        day smallint NOT NULL,
        hour smallint NOT NULL,
        time_zone text NOT NULL,
        config_overrides jsonb NOT NULL,
        next_run_at timestamptz(3) NOT NULL,
        last_fired_at timestamptz(3),
        last_run_id uuid,
        last_error jsonb,
        updated_at timestamptz(3) NOT NULL,
        updated_by text NOT NULL,
        CONSTRAINT run_schedules_pkey PRIMARY KEY (workspace_id),
        CONSTRAINT run_schedules_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT run_schedules_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX run_schedules_due ON run_schedules (next_run_at)`);
  }
}

export const runSchedules = { name: '0006-run-schedules', class: RunSchedules };
