import type { Queryable } from '../../../platform/database/database.js';

/** A row that cannot be stored, with the `total` of such rows. */
interface RefusedRow {
  readonly uniqueId: string;
  readonly line: number;
  readonly total: number;
}

/** The first staged series that the workspace does not have, by line. Call it after `matchSeries`. */
export function findUnknownSeries(tx: Queryable, limit: number): Promise<readonly RefusedRow[]> {
  return tx.query(
    `SELECT unique_id AS "uniqueId", line, (count(*) OVER ())::int AS total
       FROM staged_series WHERE stored_id = id ORDER BY line LIMIT $1`,
    [limit],
  );
}

/** The first series staged by an earlier block as well, by line. */
export function findSeriesStagedTwice(tx: Queryable, limit: number): Promise<readonly RefusedRow[]> {
  return tx.query(
    `SELECT unique_id AS "uniqueId", line, (count(*) OVER ())::int AS total
       FROM (SELECT unique_id, line, block > min(block) OVER (PARTITION BY unique_id) AS again FROM staged_series) AS staged
      WHERE again ORDER BY line LIMIT $1`,
    [limit],
  );
}
