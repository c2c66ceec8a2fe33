import { Migration } from '@mikro-orm/migrations';

/** The index of pages of forecasts before `forecasts_pages`. Apart from it: dropping waits for every reader, which building need not. */
class ForecastListing extends Migration {
  override up(): void {
    this.addSql(`DROP INDEX forecasts_listing`);
  }
}

export const forecastListing = { name: '0096-forecast-listing', class: ForecastListing };
