/** First day of the instant's calendar month (UTC), as `YYYY-MM-01`: the period of quotas. */
export function monthOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 7)}-01`;
}

/** The instant at which the next calendar month (UTC) begins. */
export function nextMonth(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1));
}
