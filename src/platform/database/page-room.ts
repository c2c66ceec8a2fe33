/** Size in bytes at which a page ends early: of its heavy columns for a list, of its rows and their positions for the OData feed. */
export const MAX_PAGE_BYTES = 16 * 2 ** 20;

/** What {@link measuredPage} adds to the columns of a row. */
export interface Measured {
  /** Number of rows that the query fetched for the page, including those that do not fit. */
  readonly fetched: number;
}

/**
 * SQL for the rows of a page with two more columns: `fetched`, and `fits`, whether the row fits on the page. The first row always
 * fits.
 * @param page the query that fetches the rows, in order
 * @param weight size of a row in bytes, as an SQL expression over its columns
 */
export const measuredPage = (page: string, weight: string): string =>
  // OFFSET 0 keeps the planner from evaluating the weight of each row twice
  `(SELECT *, count(*) OVER ()::int AS fetched,
           sum(weight) OVER (ROWS UNBOUNDED PRECEDING) - weight < ${MAX_PAGE_BYTES} AS fits
      FROM (SELECT *, ${weight} AS weight FROM (${page}) AS page OFFSET 0) AS weighed)`;

/** The rows that fit, with undefined for each of the others. */
export function fittingRows<Row extends Measured>(rows: readonly Row[]): (Omit<Row, 'fetched'> | undefined)[] {
  const others = (rows[0]?.fetched ?? 0) - rows.length;
  return [...rows.map(({ fetched: _, ...row }) => row), ...new Array<undefined>(others).fill(undefined)];
}

/** Whether a fetch of at most `limit` rows reached the end: there were fewer, and all of them fit. */
export const isLastFetch = (fetched: readonly unknown[], limit: number): boolean =>
  fetched.length < limit && !fetched.includes(undefined);
