/** Rows per page by default, and the maximum that a client may request. */
const DEFAULT_ROWS = 5_000;
const MAX_ROWS = 10_000;

export interface MaxPageSize {
  readonly rows: number;
  /** Value of Preference-Applied; absent if no preference was applied. */
  readonly applied?: string;
}

/** The page size requested by `Prefer: odata.maxpagesize=n`. Unknown preferences are ignored, as RFC 7240 requires. */
export function maxPageSize(prefer = ''): MaxPageSize {
  const asked = Number(/(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})\b/i.exec(prefer)?.[1] ?? 0);
  if (asked < 1) return { rows: DEFAULT_ROWS };
  const rows = Math.min(asked, MAX_ROWS);
  return { rows, applied: `odata.maxpagesize=${rows}` };
}
