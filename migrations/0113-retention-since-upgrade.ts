import { Migration } from '@mikro-orm/migrations';

/** A retention that no sweep has applied yet was set before there were sweeps: it counts as set at this upgrade. */
class RetentionSinceUpgrade extends Migration {
  override up(): void {
    this.addSql(`
      UPDATE organizations SET retention_set_at = now()
      WHERE retention_months IS NOT NULL AND retention_set_at IS NULL
        AND id NOT IN (SELECT organization_id FROM retention_sweeps)`);
  }
}

export const retentionSinceUpgrade = { name: '0113-retention-since-upgrade', class: RetentionSinceUpgrade };
