import { Migration } from '@mikro-orm/migrations';

/** The quota that owners were told of in a month: a run that is given back may bring its end twice, and another plan a second end. */
class QuotaNotices extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE usage_counters
        ADD COLUMN quota_told integer NULL,
        ADD COLUMN overage_told integer NULL`);
  }
}

export const quotaNotices = { name: '0119-quota-notices', class: QuotaNotices };
