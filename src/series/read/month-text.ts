/** First day of a month number (12 * year + month - 1) as `YYYY-MM-01`. */
export function formatMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}

/** Month number of `YYYY-MM` or `YYYY-MM-DD`, whose form was checked before. */
export function parseMonth(text: string): number {
  return 12 * Number(text.slice(0, 4)) + Number(text.slice(5, 7)) - 1;
}
