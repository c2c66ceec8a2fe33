/** First day of a month number (12 * year + month - 1) as `YYYY-MM-01`. */
export function formatMonth(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
