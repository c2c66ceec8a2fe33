import { Migration } from '@mikro-orm/migrations';

/**
 * q10, q50 and q90 of each step, taken out of the nine levels: pages of forecast rows show no others, and most of their
 * time went into carrying what they do not show. The database derives the column, so the two cannot part.
 */
class ForecastBands extends Migration {
  override up(): void {
    this.addSql(`
      CREATE FUNCTION forecast_bands(quantiles bytea) RETURNS bytea
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN (
        SELECT coalesce(string_agg(
                 substr(quantiles, 72 * step + 1, 8) || substr(quantiles, 72 * step + 33, 8) || substr(quantiles, 72 * step + 65, 8),
                 ''::bytea ORDER BY step), ''::bytea)
          FROM generate_series(0, octet_length(quantiles) / 72 - 1) AS step)`);
    this.addSql(`
      ALTER TABLE forecasts ADD COLUMN bands bytea NOT NULL GENERATED ALWAYS AS (forecast_bands(quantiles)) STORED`);
  }
}

export const forecastBands = { name: '0034-forecast-bands', class: ForecastBands };
