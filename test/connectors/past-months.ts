/** Taken once: a test that runs into a new month keeps to its days. */
const NOW = new Date();

/** `YYYY-MM-DD` of a day, in the month so many months before the present one (UTC). */
export function dayOf(monthsAgo: number, day: number): string {
  return new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - monthsAgo, day)).toISOString().slice(0, 10);
}
