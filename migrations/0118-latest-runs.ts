import { Migration } from '@mikro-orm/migrations';

/**
 * A run of chosen series, or of the past, took the place of the workspace's forecasts in the feed. Which run is the latest is read
 * off this index: the runs of a workspace that are neither come last in it.
 */
class LatestRuns extends Migration {
  override up(): void {
    this.addSql(`
      CREATE INDEX runs_latest ON runs
        (workspace_id, (config->>'cutoff' IS NULL AND config->>'series' IS NULL), finished_at, id) WHERE status = 'completed'`);
  }
}

export const latestRuns = { name: '0118-latest-runs', class: LatestRuns };
