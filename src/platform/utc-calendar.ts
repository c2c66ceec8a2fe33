/** The calendar day of an instant (UTC), `YYYY-MM-DD`. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** First day of the instant's calendar month (UTC), `YYYY-MM-01`. */
export const monthOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`;

/** The instant at which the next calendar month (UTC) begins. */
export const nextMonth = (instant: Date): Date =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1));
