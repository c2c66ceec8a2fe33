import { Migration } from '@mikro-orm/migrations';

/** The OData feed puts runs without an end last where it sorts by the newest: for a page of those, all runs were read and sorted. */
class RunsRecent extends Migration {
  override up(): void {
    this.addSql(`CREATE INDEX runs_recent ON runs (organization_id, finished_at DESC NULLS LAST, id)`);
  }
}

export const runsRecent = { name: '0105-runs-recent', class: RunsRecent };
