import { Migration } from '@mikro-orm/migrations';

/** How far the deletion of what is due has come, by organization. */
class Retention extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE retention_sweeps (
        organization_id uuid NOT NULL,
        due_at timestamptz(3) NOT NULL,
        leased_until timestamptz(3),
        deleted jsonb NOT NULL DEFAULT '{}',
        pending_runs uuid[] NOT NULL DEFAULT '{}',
        finished_at timestamptz(3),
        CONSTRAINT retention_sweeps_pkey PRIMARY KEY (organization_id),
        CONSTRAINT retention_sweeps_organization_id_foreign FOREIGN KEY (organization_id) REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE CASCADE
      )`);
  }
}

export const retention = { name: '0030-retention', class: Retention };
