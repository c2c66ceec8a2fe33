import { Migration } from '@mikro-orm/migrations';
import { workspacePolicy } from './tenant-policies.js';

/** Successions that were undone or changed: runs that began before still count demand, and their accuracy, by them. */
class EndedSuccessions extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE ended_successions (
        series_id uuid NOT NULL,
        demand_version int NOT NULL,
        ended_version int NOT NULL,
        successor_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid NOT NULL,
        CONSTRAINT ended_successions_pkey PRIMARY KEY (series_id, demand_version),
        CONSTRAINT ended_successions_series_id_foreign FOREIGN KEY (series_id) REFERENCES series (id) ON DELETE CASCADE,
        CONSTRAINT ended_successions_successor_id_foreign FOREIGN KEY (successor_id) REFERENCES series (id) ON DELETE CASCADE
      )`);
    this.addSql(`CREATE INDEX ended_successions_successor ON ended_successions (successor_id)`);
    for (const sql of workspacePolicy('ended_successions')) this.addSql(sql);
  }
}

export const endedSuccessions = { name: '0156-ended-successions', class: EndedSuccessions };
