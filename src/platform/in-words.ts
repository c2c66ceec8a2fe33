const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const INSTANT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** The day of an instant in UTC, for people: `1 November 2026`. */
export const dayInWords = (instant: Date): string => DAY.format(instant);

/** An instant for people: `1 November 2026 at 06:05 UTC`. */
export const instantInWords = (instant: Date): string => `${INSTANT.format(instant)} UTC`;
