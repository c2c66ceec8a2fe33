import { Migration } from '@mikro-orm/migrations';

/** The feed gave safety stock without what speaks against it. That of earlier releases is computed anew when it is next read. */
class StockWarnings extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE safety_stocks ADD COLUMN warnings text');
  }
}

export const stockWarnings = { name: '0120-stock-warnings', class: StockWarnings };
