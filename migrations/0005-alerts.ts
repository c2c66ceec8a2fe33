import { Migration } from '@mikro-orm/migrations';

const TENANT = `
  organization_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  series_id uuid NOT NULL`;

const references = (table: string): string => `
  CONSTRAINT ${table}_pkey PRIMARY KEY (id),
  CONSTRAINT ${table}_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT ${table}_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE,
  CONSTRAINT ${table}_series_id_foreign FOREIGN KEY (series_id) REFERENCES series (id) ON DELETE CASCADE`;

/** Alerts, trend labels and their changes; what chunks find of them, and the pooled errors of a run for safety stock. */
class Alerts extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE alerts (
        id uuid NOT NULL,${TENANT},
        kind text NOT NULL,
        severity text NOT NULL,
        message text NOT NULL,
        change_percent double precision NOT NULL,
        period date NOT NULL,
        run_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        read_at timestamptz(3),${references('alerts')}
      )`);
    this.addSql(`ALTER TABLE alerts ADD CONSTRAINT alerts_once UNIQUE (series_id, kind, period)`);
    this.addSql(`CREATE INDEX alerts_listing ON alerts (organization_id, created_at, id)`);
    this.addSql(`CREATE INDEX alerts_run ON alerts (run_id)`);
    this.addSql(`
      CREATE TABLE series_trends (${TENANT},
        label text NOT NULL,
        candidate text NOT NULL,
        month int NOT NULL,
        CONSTRAINT series_trends_pkey PRIMARY KEY (series_id),
        CONSTRAINT series_trends_series_id_foreign FOREIGN KEY (series_id) REFERENCES series (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
    this.addSql(`
      CREATE TABLE trend_changes (
        id uuid NOT NULL,${TENANT},
        previous_label text NOT NULL,
        label text NOT NULL,
        run_id uuid NOT NULL,
        changed_at timestamptz(3) NOT NULL,${references('trend_changes')}
      )`);
    this.addSql(`CREATE INDEX trend_changes_listing ON trend_changes (organization_id, changed_at, id)`);
    this.addSql(`CREATE INDEX trend_changes_series ON trend_changes (series_id, changed_at)`);
    this.addSql(`CREATE INDEX trend_changes_run ON trend_changes (run_id)`);
    this.addSql(`ALTER TABLE run_chunks ADD COLUMN findings jsonb`);
    this.addSql(`ALTER TABLE runs ADD COLUMN error_pool jsonb`);
  }
}

export const alerts = { name: '0005-alerts', class: Alerts };
