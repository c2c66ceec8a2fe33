import { Migration } from '@mikro-orm/migrations';

/** How many runs beyond the quota an organization lets be billed in a month was for nobody to decide: there was no end to them. */
class OverageLimit extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE organizations ADD COLUMN overage_limit int NULL`);
  }
}

export const overageLimit = { name: '0135-overage-limit', class: OverageLimit };
