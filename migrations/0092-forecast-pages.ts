import { Migration } from '@mikro-orm/migrations';

/**
 * A prepared page of forecasts is planned without its parameters: whatever the planner takes for their number, this index
 * alone gives the rows in their order. It has what two runs are compared by, so that their rows are not read.
 */
class ForecastPages extends Migration {
  override up(): void {
    this.addSql(`
      CREATE INDEX forecasts_pages ON forecasts (organization_id, run_id, unique_id) INCLUDE (series_id, workspace_id)`);
  }
}

export const forecastPages = { name: '0092-forecast-pages', class: ForecastPages };
