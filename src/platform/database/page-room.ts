/** Bytes of heavy columns above which a page of a list ends, whatever it was asked for: as many as a page of the feed has. */
export const MOST_PAGE_BYTES = 16 * 2 ** 20;

/** What {@link measuredPage} tells beside the columns of a row. */
export interface Measured {
  /** Rows that the query fetched for the page. */
  readonly fetched: number;
}

/**
 * The rows of a page with `fetched`, and `fits`: whether the page has room for the row. The first row always has.
 * @param page the query that fetches them, in their order
 * @param weight bytes of a row, as an expression of its columns
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

/** Whether nothing follows what was fetched of at most `limit` rows: neither beyond them, nor of them without room. */
export const isLastFetch = (fetched: readonly unknown[], limit: number): boolean =>
  fetched.length < limit && !fetched.includes(undefined);
