import { Migration } from '@mikro-orm/migrations';

const LEASE = `
  lease_owner uuid,
  lease_epoch int NOT NULL DEFAULT 0,
  lease_expires_at timestamptz,
  wake_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  failures int NOT NULL DEFAULT 0`;

/** Runs, their chunks, and the forecasts they produce. */
class Runs extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE runs (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        status text NOT NULL,
        trigger text NOT NULL,
        config json NOT NULL,
        billed text NOT NULL,
        series_total int NOT NULL DEFAULT 0,
        series_done int NOT NULL DEFAULT 0,
        chunks_total int,
        chunks_done int NOT NULL DEFAULT 0,
        pooled jsonb,
        metrics json,
        error_code text,
        error_message text,
        created_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        finished_at timestamptz(3),${LEASE},
        CONSTRAINT runs_pkey PRIMARY KEY (id),
        CONSTRAINT runs_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT runs_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX runs_listing ON runs (organization_id, created_at, id)`);
    this.addSql(`CREATE INDEX runs_finished ON runs (organization_id, finished_at, id)`);
    this.addSql(`CREATE INDEX runs_due ON runs (wake_at) WHERE status IN ('queued', 'running')`);
    this.addSql(`
      CREATE TABLE run_chunks (
        run_id uuid NOT NULL,
        position int NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        done boolean NOT NULL DEFAULT false,
        series_ids uuid[] NOT NULL,
        summary jsonb,${LEASE},
        CONSTRAINT run_chunks_pkey PRIMARY KEY (run_id, position),
        CONSTRAINT run_chunks_run_id_foreign FOREIGN KEY (run_id) REFERENCES runs (id) ON DELETE CASCADE,
        CONSTRAINT run_chunks_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT run_chunks_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX run_chunks_due ON run_chunks (wake_at) WHERE NOT done`);
    this.addSql(`
      CREATE TABLE forecasts (
        run_id uuid NOT NULL,
        series_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        unique_id text COLLATE "C" NOT NULL,
        model text NOT NULL,
        pattern text NOT NULL,
        first_month int NOT NULL,
        horizon smallint NOT NULL,
        mean bytea NOT NULL,
        quantiles bytea NOT NULL,
        backtest bytea NOT NULL,
        history_start int NOT NULL,
        history bytea NOT NULL,
        CONSTRAINT forecasts_pkey PRIMARY KEY (run_id, series_id),
        CONSTRAINT forecasts_series_id_foreign FOREIGN KEY (series_id) REFERENCES series (id) ON DELETE CASCADE,
        CONSTRAINT forecasts_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT forecasts_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX forecasts_listing ON forecasts (run_id, unique_id)`);
    this.addSql(`CREATE INDEX forecasts_series ON forecasts (series_id, run_id)`);
  }
}

export const runs = { name: '0004-runs', class: Runs };
