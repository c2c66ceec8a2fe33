import { Migration } from '@mikro-orm/migrations';

/**
 * Totals by category of the latest run of each workspace, for the feed: computed at each request they would take ten seconds for
 * 100,000 series. With the run, since they are read as a whole and replaced as a whole.
 */
class RunTotals extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE runs ADD COLUMN totals jsonb`);
  }
}

export const runTotals = { name: '0154-run-totals', class: RunTotals };
