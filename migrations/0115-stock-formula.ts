import { Migration } from '@mikro-orm/migrations';

/**
 * A run's safety stock was all there as soon as some of it was, so it was stored in one transaction: ten seconds for 100,000
 * series. And nothing told by which formula it was computed.
 */
class StockFormula extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE runs ADD COLUMN stock_formula smallint`);
    this.addSql(`UPDATE runs SET stock_formula = 1 WHERE id IN (SELECT run_id FROM safety_stocks)`);
  }
}

export const stockFormula = { name: '0115-stock-formula', class: StockFormula };
