import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policies.js';

/** Products that others have replaced: their demand counts for these, which otherwise begin without a history. */
class Successions extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE successions (
        series_id uuid NOT NULL,
        successor_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        demand_version int NOT NULL,
        CONSTRAINT successions_pkey PRIMARY KEY (series_id),
        CONSTRAINT successions_series_id_foreign FOREIGN KEY (series_id) REFERENCES series (id) ON UPDATE CASCADE ON DELETE CASCADE,
        CONSTRAINT successions_successor_id_foreign FOREIGN KEY (successor_id) REFERENCES series (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX successions_successor ON successions (successor_id)`);
    for (const sql of workspacePolicy('successions')) this.addSql(sql);
  }
}

export const successions = { name: '0153-successions', class: Successions };
