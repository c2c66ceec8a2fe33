import { Migration } from '@mikro-orm/migrations';

const TENANT = `
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL`;

const tenantKeys = (table: string): string => `
        CONSTRAINT ${table}_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT ${table}_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE`;

/** Series, their demand, the imports that bring it, and planners' overrides. */
class Series extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE series (
        id uuid NOT NULL,${TENANT},
        unique_id text COLLATE "C" NOT NULL,
        product_name text,
        category text,
        unit text,
        metadata jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT series_pkey PRIMARY KEY (id),
        CONSTRAINT series_unique_id UNIQUE (workspace_id, unique_id),
        CONSTRAINT series_workspace_id_foreign FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX series_listing ON series (workspace_id, id)`);
    // one row a series and year; why no foreign key per row: docs/decisions/0003-demand-storage.md
    this.addSql(`
      CREATE TABLE demand (
        series_id uuid NOT NULL,${TENANT},
        year smallint NOT NULL,
        observed_months smallint NOT NULL,
        days date[] NOT NULL,
        quantities float8[] NOT NULL,
        CONSTRAINT demand_pkey PRIMARY KEY (series_id, year)
      )`);
    this.addSql(`CREATE INDEX demand_workspace ON demand (workspace_id, year)`);
    this.addSql(`
      CREATE FUNCTION remove_demand_of_series() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM demand WHERE series_id IN (SELECT id FROM removed);
        RETURN NULL;
      END $$`);
    this.addSql(`
      CREATE TRIGGER series_remove_demand AFTER DELETE ON series REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION remove_demand_of_series()`);
    this.addSql(`
      CREATE TABLE imports (
        id uuid NOT NULL,${TENANT},
        state text NOT NULL,
        origin text NOT NULL,
        format text NOT NULL,
        fill text,
        byte_count bigint NOT NULL DEFAULT 0,
        attempts int NOT NULL DEFAULT 0,
        report jsonb,
        error jsonb,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        CONSTRAINT imports_pkey PRIMARY KEY (id),${tenantKeys('imports')}
      )`);
    this.addSql(`CREATE INDEX imports_listing ON imports (workspace_id, id)`);
    this.addSql(`CREATE INDEX imports_state ON imports (state, id)`);
    this.addSql(`
      CREATE TABLE import_chunks (
        import_id uuid NOT NULL,
        position int NOT NULL,
        organization_id uuid NOT NULL,
        bytes bytea NOT NULL,
        CONSTRAINT import_chunks_pkey PRIMARY KEY (import_id, position),
        CONSTRAINT import_chunks_import_id_foreign FOREIGN KEY (import_id) REFERENCES imports (id) ON DELETE CASCADE,
        CONSTRAINT import_chunks_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    // chunks are written and read once: compressing them would cost more than it saves
    this.addSql(`ALTER TABLE import_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`);
    this.addSql(`
      CREATE TABLE overrides (
        id uuid NOT NULL,${TENANT},
        series_id uuid NOT NULL,
        month date NOT NULL,
        kind text NOT NULL,
        value float8 NOT NULL,
        reason text NOT NULL,
        author text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        ended_at timestamptz(3),
        ended_by text,
        CONSTRAINT overrides_pkey PRIMARY KEY (id),${tenantKeys('overrides')},
        CONSTRAINT overrides_series_id_foreign FOREIGN KEY (series_id) REFERENCES series (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX overrides_listing ON overrides (workspace_id, id)`);
    this.addSql(`CREATE INDEX overrides_series ON overrides (series_id, month)`);
  }
}

export const series = { name: '0003-series', class: Series };
