import type { Queryable } from '../../../platform/database/database.js';
import { monthBitOfDay } from '../../month-sql.js';

/**
 * Days given by several blocks for the same series, ordered by the line of the first repetition; there may be as many as a body has room
 * for. (The reader has already found repetitions within a block.)
 * @returns each with its lines, and with the `total` of repetitions over all days
 */
export async function findDaysRepeatedAcrossBlocks(
  tx: Queryable,
  limit: number,
): Promise<readonly { uniqueId: string; day: string; lines: readonly number[]; total: number }[]> {
  return tx.query(
    `WITH shared AS (
       SELECT series.stored_id AS id, demand.year
       FROM staged_demand AS demand JOIN staged_series AS series USING (block, number)
       GROUP BY 1, 2
       HAVING count(*) > 1
     )
     SELECT min(series.unique_id) AS "uniqueId", entry.day::text AS day, array_agg(entry.line ORDER BY entry.line) AS lines,
       (sum(count(*) - 1) OVER ())::int AS total
     FROM shared
     JOIN staged_series AS series ON series.stored_id = shared.id
     JOIN staged_demand AS demand USING (block, number, year)
     CROSS JOIN LATERAL unnest(demand.days, demand.lines) AS entry (day, line)
     GROUP BY series.stored_id, entry.day
     HAVING count(*) > 1
     ORDER BY (array_agg(entry.line ORDER BY entry.line))[2] LIMIT $1`,
    [limit],
  );
}

/** The first days of a month that another block gives as a single figure, with the lines of both and the `total` of such days. */
export async function findMonthsGivenTwiceAcrossBlocks(
  tx: Queryable,
  limit: number,
): Promise<readonly { uniqueId: string; day: string; line: number; figureLine: number; total: number }[]> {
  return tx.query(
    `WITH mixed AS (
       SELECT series.stored_id AS id, demand.year
       FROM staged_demand AS demand JOIN staged_series AS series USING (block, number)
       GROUP BY 1, 2
       HAVING count(*) > 1 AND bit_or(month_figures) <> 0
     ),
     entries AS (
       SELECT series.stored_id AS id, series.unique_id, entry.day, entry.line, date_trunc('month', entry.day) AS month,
         ${monthBitOfDay('demand.month_figures', 'entry.day')} = 1 AS is_figure
       FROM mixed
       JOIN staged_series AS series ON series.stored_id = mixed.id
       JOIN staged_demand AS demand USING (block, number, year)
       CROSS JOIN LATERAL unnest(demand.days, demand.lines) AS entry (day, line)
     )
     SELECT given.unique_id AS "uniqueId", given.day::text AS day, given.line, figure.line AS "figureLine",
       (count(*) OVER ())::int AS total
     FROM entries AS figure JOIN entries AS given USING (id, month)
     WHERE figure.is_figure AND NOT given.is_figure AND given.day <> figure.day
     ORDER BY given.line LIMIT $1`,
    [limit],
  );
}
