import { Migration } from '@mikro-orm/migrations';

/** Owners were told again that the limit of billed runs is reached, each time that a run was given back and another one took its place. */
class OverageLimitNotices extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE usage_counters ADD COLUMN overage_limit_told integer NULL`);
    this.addSql(`UPDATE usage_counters u SET overage_limit_told = o.overage_limit FROM organizations o
      WHERE o.id = u.organization_id AND u.overage = o.overage_limit`);
  }
}

export const overageLimitNotices = { name: '0140-overage-limit-notices', class: OverageLimitNotices };
