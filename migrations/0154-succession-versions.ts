import { Migration } from '@mikro-orm/migrations';

/** A run knows only the successions that were there when it began; those from before this migration count as such. */
class SuccessionVersions extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE successions ADD COLUMN demand_version int NOT NULL DEFAULT 0`);
    this.addSql(`ALTER TABLE successions ALTER COLUMN demand_version DROP DEFAULT`);
  }
}

export const successionVersions = { name: '0154-succession-versions', class: SuccessionVersions };
