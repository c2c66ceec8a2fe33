import { Migration } from '@mikro-orm/migrations';

/** Deleting a workspace asks for its forecasts, and read those of all. */
class ForecastWorkspace extends Migration {
  override up(): void {
    this.addSql(`CREATE INDEX forecasts_workspace ON forecasts (workspace_id)`);
  }
}

export const forecastWorkspace = { name: '0093-forecast-workspace', class: ForecastWorkspace };
