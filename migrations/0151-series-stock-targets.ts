import { Migration } from '@mikro-orm/migrations';

/** Each series can have a lead time and a service level of its own; the stored safety stock is for these. */
class SeriesStockTargets extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE series
      ADD COLUMN lead_time_months float8, ADD COLUMN lead_time_sd_months float8, ADD COLUMN target_service_level float8`);
    this.addSql(`ALTER TABLE workspaces ADD COLUMN stock_target_version int NOT NULL DEFAULT 0`);
    this.addSql(`ALTER TABLE runs ADD COLUMN stock_target_version int`);
    this.addSql(`ALTER TABLE safety_stocks
      ADD COLUMN lead_time float8 NOT NULL DEFAULT 1, ADD COLUMN lead_time_sd float8 NOT NULL DEFAULT 0,
      ADD COLUMN service_level float8 NOT NULL DEFAULT 0.95`);
  }
}

export const seriesStockTargets = { name: '0151-series-stock-targets', class: SeriesStockTargets };
