import { Migration } from '@mikro-orm/migrations';

/** Where demand is known by day, forecasts have the sizes of its orders, and safety stock includes how far these take stock below the reorder point. */
class Undershoot extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE forecasts ADD COLUMN order_sizes bytea`);
    this.addSql(`ALTER TABLE safety_stocks ADD COLUMN undershoot float8`);
  }
}

export const undershoot = { name: '0155-undershoot', class: Undershoot };
