/** `YYYY-MM-DD` of a day, in the month so many months before the present one (UTC). */
export function dayOf(monthsAgo: number, day: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, day)).toISOString().slice(0, 10);
}
