/** Rows of a page, and the most that a client may ask for. */
const DEFAULT_ROWS = 5_000;
const MOST_ROWS = 10_000;

export interface MaxPageSize {
  readonly rows: number;
  /** Value of Preference-Applied; absent where no preference was applied. */
  readonly applied?: string;
}

/** The page size by `Prefer: odata.maxpagesize=n`. An unknown preference is ignored, as RFC 7240 says. */
export function maxPageSize(prefer = ''): MaxPageSize {
  const asked = Number(/(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})\b/i.exec(prefer)?.[1] ?? 0);
  if (asked < 1) return { rows: DEFAULT_ROWS };
  const rows = Math.min(asked, MOST_ROWS);
  return { rows, applied: `odata.maxpagesize=${rows}` };
}
