import { Migration } from '@mikro-orm/migrations';

/** A little-endian IEEE 754 double in `quantiles` at the byte `at`; forecasts are never negative, and zero has no exponent. */
const DOUBLE = `
  CASE WHEN get_byte(quantiles, at + 7) = 0 AND get_byte(quantiles, at + 6) < 16 THEN 0 ELSE
    (1 + ((get_byte(quantiles, at + 6) & 15)::float8 * 281474976710656 + get_byte(quantiles, at + 5)::float8 * 1099511627776
        + get_byte(quantiles, at + 4)::float8 * 4294967296 + get_byte(quantiles, at + 3)::float8 * 16777216
        + get_byte(quantiles, at + 2)::float8 * 65536 + get_byte(quantiles, at + 1)::float8 * 256
        + get_byte(quantiles, at)::float8) / 4503599627370496)
    * power(2::float8, 16 * get_byte(quantiles, at + 7) + (get_byte(quantiles, at + 6) >> 4) - 1023)
  END`;

/**
 * The bands as numbers that SQL can filter, sort and sum: the OData feed reads them. Taking the bytes apart at each read
 * would be fifty times as slow. The database derives the column; the index hands a tenant his rows in the feed's order.
 */
class ForecastFeed extends Migration {
  override up(): void {
    this.addSql(`
      CREATE FUNCTION forecast_band_values(quantiles bytea) RETURNS float8[]
      LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN (
        SELECT coalesce(array_agg(${DOUBLE} ORDER BY at), '{}')
          FROM generate_series(0, octet_length(quantiles) - 72, 72) AS step, unnest(ARRAY[step, step + 32, step + 64]) AS at)`);
    this.addSql(`
      ALTER TABLE forecasts ADD COLUMN band_values float8[] NOT NULL
        GENERATED ALWAYS AS (forecast_band_values(quantiles)) STORED`);
    this.addSql(`CREATE INDEX forecasts_feed ON forecasts (organization_id, run_id, series_id)`);
  }
}

export const forecastFeed = { name: '0040-forecast-feed', class: ForecastFeed };
