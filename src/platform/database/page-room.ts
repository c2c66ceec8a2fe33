/** Bytes at which a page ends early: of a list those of heavy columns, of the OData feed those of rows and their positions. */
export const MOST_PAGE_BYTES = 16 * 2 ** 20;

/** What {@link measuredPage} adds to the columns of a row. */
export interface Measured {
  /** How many rows the query fetched for the page, those without room included. */
  readonly fetched: number;
}

/**
 * SQL of the rows of a page with two more columns: `fetched`, and `fits`, whether the page has room for the row. The first row
 * always fits.
 * @param page the query that fetches the rows, in their order
 * @param weight bytes of a row, as an SQL expression of its columns
 */
export const measuredPage = (page: string, weight: string): string =>
  // OFFSET 0 keeps the planner from weighing each row twice
  `(SELECT *, count(*) OVER ()::int AS fetched,
           sum(weight) OVER (ROWS UNBOUNDED PRECEDING) - weight < ${MOST_PAGE_BYTES} AS fits
      FROM (SELECT *, ${weight} AS weight FROM (${page}) AS page OFFSET 0) AS weighed)`;

/** The rows that fit, and undefined for each of the others. */
export function fittingRows<Row extends Measured>(rows: readonly Row[]): (Omit<Row, 'fetched'> | undefined)[] {
  const others = (rows[0]?.fetched ?? 0) - rows.length;
  return [...rows.map(({ fetched: _, ...row }) => row), ...new Array<undefined>(others).fill(undefined)];
}

/** Whether the fetch of at most `limit` rows reached the end: there were fewer, and all of them had room. */
export const isLastFetch = (fetched: readonly unknown[], limit: number): boolean =>
  fetched.length < limit && !fetched.includes(undefined);
