import { Migration } from '@mikro-orm/migrations';

/** A retention that no sweep has kept yet is one from before there were sweeps: it stands since they are there. */
class RetentionSinceUpgrade extends Migration {
  override up(): void {
    this.addSql(`
      UPDATE organizations SET retention_set_at = now()
      WHERE retention_months IS NOT NULL AND retention_set_at IS NULL
        AND id NOT IN (SELECT organization_id FROM retention_sweeps)`);
  }
}

export const retentionSinceUpgrade = { name: '0113-retention-since-upgrade', class: RetentionSinceUpgrade };
