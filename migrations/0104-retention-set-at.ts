import { Migration } from '@mikro-orm/migrations';

/** Null where the retention was set before this was noted. */
class RetentionSetAt extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE organizations ADD COLUMN retention_set_at timestamptz(3)`);
  }
}

export const retentionSetAt = { name: '0104-retention-set-at', class: RetentionSetAt };
