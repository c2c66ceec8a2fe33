import { Migration } from '@mikro-orm/migrations';

/**
 * One number of a packed column, for the feed to show means: as an array of its own, as the bands have it, every stored
 * forecast would be written anew at the upgrade and be larger. Not STRICT, or PostgreSQL would not inline it.
 */
class PackedDouble extends Migration {
  override up(): void {
    // a little-endian IEEE 754 double at the byte `at`; forecasts are never negative, and zero has no exponent. NULL behind the
    // last one: a query may ask for the number before it has looked whether the month is one of the horizon
    this.addSql(`
      CREATE FUNCTION packed_double(bytes bytea, at int) RETURNS float8
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE WHEN at + 8 > octet_length(bytes) THEN NULL WHEN get_byte(bytes, at + 7) = 0 AND get_byte(bytes, at + 6) < 16 THEN 0 ELSE
        ((((((16 + (get_byte(bytes, at + 6) & 15))::int8 * 256 + get_byte(bytes, at + 5)) * 256 + get_byte(bytes, at + 4)) * 256
          + get_byte(bytes, at + 3)) * 256 + get_byte(bytes, at + 2)) * 65536
          + get_byte(bytes, at + 1) * 256 + get_byte(bytes, at))::float8
        * power(2::float8, get_byte(bytes, at + 7) * 16 + (get_byte(bytes, at + 6) >> 4) - 1075) END`);
  }
}

export const packedDouble = { name: '0116-packed-double', class: PackedDouble };
