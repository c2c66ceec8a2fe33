import { Migration } from '@mikro-orm/migrations';

/** Which notices about the quota of a month have been sent: a run that is given back may bring its end twice. */
class QuotaNotices extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE usage_counters
        ADD COLUMN quota_told boolean NOT NULL DEFAULT false,
        ADD COLUMN overage_told boolean NOT NULL DEFAULT false`);
  }
}

export const quotaNotices = { name: '0119-quota-notices', class: QuotaNotices };
