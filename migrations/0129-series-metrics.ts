import { Migration } from '@mikro-orm/migrations';

/** The metrics of each series, which the feed filters and sums: they were computed from the packed backtest whenever they were read. */
class SeriesMetrics extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE forecasts ADD COLUMN wape float8, ADD COLUMN mase float8, ADD COLUMN rmsse float8, ADD COLUMN bias float8,
        ADD COLUMN mean_weighted_quantile_loss float8, ADD COLUMN coverage float8, ADD COLUMN skill float8,
        ADD COLUMN backtest_months integer`);
  }
}

export const seriesMetrics = { name: '0129-series-metrics', class: SeriesMetrics };
