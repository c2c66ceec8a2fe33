import { Migration } from '@mikro-orm/migrations';

/** Stored safety stock has the version of the stock targets that it is for: a slower process must not replace it by that of earlier ones. */
class StockTargetVersionOfRows extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE safety_stocks ADD COLUMN stock_target_version int NOT NULL DEFAULT 0`);
  }
}

export const stockTargetVersionOfRows = { name: '0152-stock-target-version-of-rows', class: StockTargetVersionOfRows };
